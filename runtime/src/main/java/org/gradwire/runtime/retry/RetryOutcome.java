package org.gradwire.runtime.retry;

import org.gradwire.spi.ReplyHandler;

/** Receives the reply to a retried call, or the failure after its last attempt. */
public interface RetryOutcome extends ReplyHandler {

    /**
     * Fail the call.
     *
     * @param mayHaveArrived whether the callee may have received the request
     */
    void onFailure(RuntimeException failure, boolean mayHaveArrived);
}
