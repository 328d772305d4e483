package org.gradwire.spi;

import java.util.concurrent.Future;

/**
 * The clock and the timer of a worker: the system's, or a simulation's, whose time jumps to the
 * next event.
 *
 * <p>Used for deadlines, pauses and delays of messages, so that they can be simulated. Thread-safe.
 */
public interface WorkerTime {

    /** {@return the system's clock, with one timer for all workers of the JVM} */
    static WorkerTime system() {
        return SystemTime.INSTANCE;
    }

    /** {@return nanoseconds since a fixed but arbitrary time, as {@link System#nanoTime}} */
    long nanoTime();

    /**
     * Run a task once, after a delay.
     *
     * @param task must be short, and must not block or throw
     * @param delayNanos zero or negative: at once
     * @return a handle that cancels the task
     */
    Future<?> schedule(Runnable task, long delayNanos);
}
