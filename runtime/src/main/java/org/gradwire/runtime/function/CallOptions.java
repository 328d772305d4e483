package org.gradwire.runtime.function;

import org.gradwire.rpc.RetryPolicy;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;

/**
 * What a program says of a call beside function and arguments.
 *
 * @param timeout null means the worker's
 * @param retry null means what the configuration or the function says
 */
public record CallOptions(@Nullable Duration timeout, @Nullable RetryPolicy retry) {

    /** Nothing is said. */
    public static final CallOptions NONE = new CallOptions(null, null);

    /**
     * Return the same options with another timeout.
     *
     * @throws IllegalArgumentException when it is negative
     */
    public CallOptions withTimeout(Duration newTimeout) {
        return new CallOptions(nonNegative(newTimeout), retry);
    }

    /** Return the same options with another policy. */
    public CallOptions withRetry(RetryPolicy newRetry) {
        return new CallOptions(timeout, Objects.requireNonNull(newRetry));
    }

    /** Return a timeout that makes sense. */
    public static Duration nonNegative(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException(
                    "RPC Timeout must be non-negative, but got " + timeout);
        }
        return timeout;
    }
}
