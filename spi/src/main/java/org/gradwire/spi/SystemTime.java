package org.gradwire.spi;

import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** The system's clock, with one thread for all timers. */
final class SystemTime implements WorkerTime {
    static final SystemTime INSTANCE = new SystemTime();

    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("gradwire-timer").factory());

    private SystemTime() {
        timer.setRemoveOnCancelPolicy(true);
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public Future<?> schedule(Runnable task, long delayNanos) {
        return timer.schedule(task, delayNanos, TimeUnit.NANOSECONDS);
    }
}
