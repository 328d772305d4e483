package org.gradwire.spi;

import org.jspecify.annotations.Nullable;

/** One call that a {@link CallObserver} observes. */
public interface CallObservation {

    /**
     * The thread on which the observation began is done with the call: the request of an outgoing
     * one is encoded, or could not be; the function of a served one has returned. Called once, on
     * that thread, before or after {@link #end}.
     */
    void leave();

    /**
     * The call is over. Called once, on any thread, before the one who waits for the call is told.
     *
     * @param failure null when the call has succeeded
     */
    void end(@Nullable Throwable failure);
}
