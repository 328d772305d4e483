package org.gradwire.runtime.future;

import org.gradwire.runtime.simulation.Simulation;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.Executor;

/** The futures' view of a worker. */
public interface FutureHost {

    /**
     * A host for futures outside any worker: waiting threads park, callbacks run on the completing
     * thread.
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
     * Poll the agent on a thread that waits.
     *
     * @return the number of events handled; negative when polling is not supported
     */
    int poll();

    /**
     * Pause before the next poll.
     *
     * @return false if the thread should park instead
     */
    boolean pause(long idleNanos, long mostNanos);

    /** Handle the end of the thread's polling. */
    default void endPolling() {}

    /** Handle the end of the polling of a thread whose wait is over: it may soon wait again. */
    default void linger() {
        endPolling();
    }

    /** {@return the executor of users' callbacks} */
    Executor callbacks();

    /** {@return a user's callback that runs in the context of this thread} */
    default Runnable carry(Runnable callback) {
        return callback;
    }

    /** Record the time that a thread waited for its future. */
    default void waited(long nanos) {}

    /** {@return the simulation that the worker runs in; null in real time} */
    default @Nullable Simulation simulation() {
        return null;
    }

    /** Handle the start of a wait, possibly a long one. */
    default void beginWait() {}

    /** Handle the end of the wait. */
    default void endWait() {}
}
