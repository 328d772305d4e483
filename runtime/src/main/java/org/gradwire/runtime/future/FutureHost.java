package org.gradwire.runtime.future;

import org.gradwire.runtime.simulation.Simulation;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.Executor;

/** What a future needs of its worker. */
public interface FutureHost {

    /**
     * A host for futures outside any worker: waits by parking, runs callbacks where the future
     * completes.
     */
    FutureHost NONE =
            new FutureHost() {
                @Override
                public int poll() {
                    return 0;
                }

                @Override
                public boolean pause(long idleNanos, long mostNanos) {
                    return false;
                }

                @Override
                public Executor callbacks() {
                    return Runnable::run;
                }
            };

    /**
     * Do a little of the worker's work on a thread that waits.
     *
     * @return how much was done; negative when there never is any
     */
    int poll();

    /**
     * Let a moment pass before the next poll.
     *
     * @return false when the thread should rather sleep
     */
    boolean pause(long idleNanos, long mostNanos);

    /** The thread polls no more. */
    default void endPolling() {}

    /** {@return where the callbacks that users register run} */
    Executor callbacks();

    /** {@return a callback of a user, made to take along what the calling thread is in} */
    default Runnable carry(Runnable callback) {
        return callback;
    }

    /** A thread has waited for so long until its future was complete. */
    default void waited(long nanos) {}

    /** {@return where what is waited for happens, if that is simulated; else null} */
    default @Nullable Simulation simulation() {
        return null;
    }

    /** The calling thread is going to wait, perhaps for long. */
    default void beginWait() {}

    /** The calling thread waits no longer. */
    default void endWait() {}
}
