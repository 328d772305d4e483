package org.gradwire.conformance.properties;

import java.util.List;

/**
 * Concurrent calls that block until their callee releases them.
 *
 * @param calls calls that are pending at the same time
 */
public record TimeoutProgram(List<Call> calls) {

    /**
     * A call.
     *
     * @param worker rank of the callee
     * @param endless whether it has no timeout
     * @param timeoutMillis lower bound of its timeout otherwise, in milliseconds
     */
    public record Call(int worker, boolean endless, int timeoutMillis) {}
}
