package org.gradwire.conformance.properties;

import java.util.List;

/**
 * Calls that are sent again where messages get lost.
 *
 * @param calls made one after another; those that return a future are under way together
 */
public record RetryProgram(List<Call> calls) {

    /** How a function is called. */
    public enum Way {
        SYNC,
        ASYNC,
        SCRIPT,
        LATER,
        REMOTE
    }

    /**
     * One call.
     *
     * @param worker rank of the callee
     * @param retries at most
     * @param attemptMillis how long each attempt may take
     * @param cancelled whether it is given up at once, where it can be
     */
    public record Call(int worker, Way way, int retries, int attemptMillis, boolean cancelled) {

        /** The caller, of rank 0, makes no value for itself: nothing would confirm it. */
        public Call {
            worker = way == Way.REMOTE ? Math.max(1, worker) : worker;
        }
    }
}
