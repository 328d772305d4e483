package org.gradwire.runtime.call;

import org.jspecify.annotations.Nullable;

/**
 * The cancellation of one inbound call: interrupts the thread that runs the function, or cancels
 * the future that the function has returned. Thread-safe.
 */
final class Cancellation {
    private boolean isCancelled; // all guarded by this
    private @Nullable Thread runner;
    private @Nullable Runnable later;

    /**
     * Mark this thread as running the function.
     *
     * @return false if the call is cancelled, and the function must not run
     */
    synchronized boolean begin() {
        runner = isCancelled ? null : Thread.currentThread();
        return !isCancelled;
    }

    /** Prevent later interrupts of the function's thread: the function has returned. */
    synchronized void end() {
        runner = null;
        if (isCancelled) {
            Thread.interrupted();
        }
    }

    /** Set the action that stops the call after its function has returned a future. */
    void continues(Runnable stop) {
        boolean isTooLate;
        synchronized (this) {
            later = stop;
            isTooLate = isCancelled;
        }
        if (isTooLate) {
            stop.run();
        }
    }

    void cancel() {
        Runnable stop;
        synchronized (this) {
            isCancelled = true;
            if (runner != null) {
                runner.interrupt();
            }
            stop = later;
        }
        if (stop != null) {
            stop.run();
        }
    }
}
