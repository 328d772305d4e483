package org.gradwire.spi;

import org.jspecify.annotations.Nullable;

/** The observation of one call by a {@link CallObserver}. */
public interface CallObservation {

    /**
     * Leave the call on the thread on which the observation began: the request of an outgoing call
     * is encoded, or could not be; the function of a served call has returned. Called once, on that
     * thread, before or after {@link #end}.
     */
    void leave();

    /**
     * End the call. Called once, on any thread, before waiting threads are released.
     *
     * @param failure null when the call has succeeded
     */
    void end(@Nullable Throwable failure);
}
