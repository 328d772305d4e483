package org.gradwire.runtime.function;

import org.gradwire.rpc.RetryPolicy;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Objects;

/**
 * The options of a call.
 *
 * @param timeout null means the worker's default, zero none
 * @param retry null means the policy of the configuration or the function
 */
public record CallOptions(@Nullable Duration timeout, @Nullable RetryPolicy retry) {

    /** The defaults. */
    public static final CallOptions NONE = new CallOptions(null, null);

    /**
     * Return the same options with another timeout.
     *
     * @throws IllegalArgumentException if it is zero or negative
     */
    public CallOptions withTimeout(Duration newTimeout) {
        return new CallOptions(positive(newTimeout), retry);
    }

    /** Return the same options for a call without a timeout. */
    public CallOptions withoutTimeout() {
        return new CallOptions(Duration.ZERO, retry);
    }

    /** Return the same options with another policy. */
    public CallOptions withRetry(RetryPolicy newRetry) {
        return new CallOptions(timeout, Objects.requireNonNull(newRetry));
    }

    /**
     * Return a timeout of the configuration, where zero means none.
     *
     * @throws IllegalArgumentException if it is negative
     */
    public static Duration nonNegative(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException(
                    "RPC Timeout must be non-negative, but got " + timeout);
        }
        return timeout;
    }

    /**
     * Return a timeout of a program.
     *
     * @throws IllegalArgumentException if it is zero or negative
     */
    public static Duration positive(Duration timeout) {
        if (!timeout.isPositive()) {
            throw new IllegalArgumentException(
                    "an RPC timeout must be more than zero, but got %s; to wait without a limit, leave the argument out, or make calls through withoutTimeout()"
                            .formatted(timeout));
        }
        return timeout;
    }
}
