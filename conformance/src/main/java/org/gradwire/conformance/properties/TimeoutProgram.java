package org.gradwire.conformance.properties;

import java.util.List;

/**
 * Calls that all wait until their callee lets them go.
 *
 * @param calls under way at the same time
 */
public record TimeoutProgram(List<Call> calls) {

    /**
     * One call.
     *
     * @param worker rank of the callee
     * @param endless whether it has no timeout
     * @param timeoutMillis else, a little more than this
     */
    public record Call(int worker, boolean endless, int timeoutMillis) {}
}
