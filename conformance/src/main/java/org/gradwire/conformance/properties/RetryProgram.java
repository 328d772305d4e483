package org.gradwire.conformance.properties;

import java.util.List;

/**
 * A random program of retried calls over a lossy backend.
 *
 * @param calls calls in order; calls that return a future run concurrently
 */
public record RetryProgram(List<Call> calls) {

    /** The call style. */
    public enum Way {
        SYNC,
        ASYNC,
        SCRIPT,
        LATER,
        REMOTE
    }

    /**
     * A call.
     *
     * @param worker rank of the callee
     * @param way call style
     * @param retries maximum number of retries
     * @param attemptMillis timeout of an attempt in milliseconds
     * @param cancelled whether it is cancelled at once, if possible
     */
    public record Call(int worker, Way way, int retries, int attemptMillis, boolean cancelled) {

        /** Rank 0, the caller, creates no value for itself, since nothing would confirm it. */
        public Call {
            worker = way == Way.REMOTE ? Math.max(1, worker) : worker;
        }
    }
}
