package org.gradwire.spi;

import java.util.concurrent.Future;

/**
 * The clock and the timer of a worker: those of the machine, or those of a simulation, in which
 * time jumps to the next moment at which something happens.
 *
 * <p>Who makes deadlines, pauses or delays of messages takes them from here, so that it can be
 * simulated. Thread-safe.
 */
public interface WorkerTime {

    /** {@return the time of the machine, whose timer all workers of the JVM share} */
    static WorkerTime system() {
        return SystemTime.INSTANCE;
    }

    /** {@return nanoseconds since some moment, as {@link System#nanoTime}} */
    long nanoTime();

    /**
     * Run a task later, once.
     *
     * @param task must be short, and must not block or throw
     * @param delayNanos at once when it is not above 0
     * @return cancels it
     */
    Future<?> schedule(Runnable task, long delayNanos);
}
