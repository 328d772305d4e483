package org.gradwire.runtime;

import java.util.ArrayDeque;
import java.util.concurrent.Executor;

/**
 * Starts each call of a peer on a virtual thread, as long as fewer than a number of them are
 * running; further ones wait in line. A call that waits for another one does not count, so nested
 * calls cannot use up all places and block each other.
 */
final class RunningCalls {
    private final Executor threads;
    private final int limit;
    private final ThreadLocal<Boolean> counted = ThreadLocal.withInitial(() -> false);
    private final ArrayDeque<Runnable> waiting =
            new ArrayDeque<>(); // guarded by this, as is running
    private int running;

    RunningCalls(Executor threads, int limit) {
        this.threads = threads;
        this.limit = limit;
    }

    void start(Runnable call) {
        synchronized (this) {
            if (running >= limit) {
                waiting.add(call);
                return;
            }
            running++;
        }
        launch(call);
    }

    private void launch(Runnable call) {
        threads.execute(() -> {
            counted.set(true);
            try {
                call.run();
            } finally {
                counted.set(false);
                leave();
            }
        });
    }

    private void leave() {
        Runnable next;
        synchronized (this) {
            running--;
            next = running < limit ? waiting.poll() : null;
            if (next != null) {
                running++;
            }
        }
        if (next != null) {
            launch(next);
        }
    }

    /** {@return whether the calling thread runs a call} */
    boolean counts() {
        return counted.get();
    }

    /** The calling thread is going to wait; if it runs a call, that does not count meanwhile. */
    void beginWait() {
        if (counted.get()) {
            leave();
        }
    }

    /**
     * The calling thread goes on. It is not held up, so there may be a few more calls than the
     * limit for a while.
     */
    void endWait() {
        if (counted.get()) {
            synchronized (this) {
                running++;
            }
        }
    }

    synchronized int running() {
        return running;
    }

    synchronized int waiting() {
        return waiting.size();
    }

    int limit() {
        return limit;
    }
}
