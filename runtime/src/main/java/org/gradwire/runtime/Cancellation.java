package org.gradwire.runtime;

import org.jspecify.annotations.Nullable;

/**
 * Whether a call was cancelled, and what that stops: the thread that runs its function, or the
 * future that the function has returned. Thread-safe.
 */
final class Cancellation {
    private boolean isCancelled; // all guarded by this
    private @Nullable Thread runner;
    private @Nullable Runnable later;

    /**
     * The calling thread is going to run the function.
     *
     * @return whether it shall
     */
    synchronized boolean begin() {
        runner = isCancelled ? null : Thread.currentThread();
        return !isCancelled;
    }

    /** It has run it, and is not interrupted any more for that. */
    synchronized void end() {
        runner = null;
        if (isCancelled) {
            Thread.interrupted();
        }
    }

    /** The function goes on without a thread, and can be stopped this way. */
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
