package org.gradwire.spi;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Logs frequent events: at most one line in an interval, with the number of events suppressed since
 * the previous line. Thread-safe; never blocks.
 */
public final class RateLimitedLog {
    private final System.Logger logger;
    private final long intervalNanos;
    private final LongSupplier clock;
    private final AtomicLong nextNanos; // earliest time of the next line
    private final AtomicLong suppressed = new AtomicLong();

    /**
     * Create a log that writes its first event.
     *
     * @param interval minimal time between two lines
     */
    public RateLimitedLog(System.Logger logger, Duration interval) {
        this(logger, interval, System::nanoTime);
    }

    RateLimitedLog(System.Logger logger, Duration interval, LongSupplier clock) {
        this.logger = logger;
        this.intervalNanos = interval.toNanos();
        this.clock = clock;
        this.nextNanos = new AtomicLong(clock.getAsLong());
    }

    /**
     * Log an event, or count it if the limit is reached.
     *
     * @param message called only when the line is written
     */
    public void log(System.Logger.Level level, Supplier<String> message) {
        if (!logger.isLoggable(level)) {
            return;
        }
        long now = clock.getAsLong();
        long next = nextNanos.get();
        if (now - next < 0 || !nextNanos.compareAndSet(next, now + intervalNanos)) {
            suppressed.incrementAndGet();
            return;
        }
        long before = suppressed.getAndSet(0);
        String text = message.get();
        logger.log(level, before == 0 ? text : text + " (" + before + " similar not logged)");
    }
}
