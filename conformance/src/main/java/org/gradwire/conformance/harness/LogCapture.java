package org.gradwire.conformance.harness;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/**
 * Collects the messages of a logger until it is closed. The other workers of the JVM may share that
 * logger. Thread-safe.
 */
public final class LogCapture implements AutoCloseable {
    private final Logger logger;
    private final Collector collector = new Collector();

    private LogCapture(Logger logger) {
        this.logger = logger;
    }

    /** Begin to collect the messages of a logger. */
    public static LogCapture of(String name) {
        var capture = new LogCapture(Logger.getLogger(name));
        capture.logger.addHandler(capture.collector);
        return capture;
    }

    /** {@return whether one message contains all the parts} */
    public boolean has(String... parts) {
        return collector.messages.stream()
                .anyMatch(text -> List.of(parts).stream().allMatch(text::contains));
    }

    @Override
    public void close() {
        logger.removeHandler(collector);
    }

    private static final class Collector extends Handler {
        private final List<String> messages = new CopyOnWriteArrayList<>();

        @Override
        public void publish(LogRecord record) {
            messages.add(String.valueOf(record.getMessage()));
        }

        @Override
        public void flush() {}

        @Override
        public void close() {}
    }
}
