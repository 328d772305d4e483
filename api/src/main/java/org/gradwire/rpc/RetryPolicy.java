package org.gradwire.rpc;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The number, the delays and the timeout of attempts to send a request. The counterpart of
 * PyTorch's {@code RpcRetryOptions}, which apply to control messages only.
 *
 * <p>A call with a policy is sent again with the same id until it is replied to, and the callee
 * runs the function once: see {@link RpcCalls#withRetry}. An attempt fails when it cannot be sent,
 * and when no reply arrives in time. An exception of the function is a reply.
 *
 * {@snippet :
 * double mean = rpc.withRetry(RetryPolicy.DEFAULT.withMaxRetries(3)).rpcSync("worker1", Jobs::mean, values);
 * }
 *
 * @param maxRetries attempts after the first; 0 means that the message is sent once
 * @param firstDelay before the first retry, and before the second
 * @param backoff factor between successive delays; 1 or more
 * @param attemptTimeout time that an attempt waits for its reply, more than zero and at most the
 *     rest of the call's time. A function that takes longer is not stopped: later attempts receive
 *     its result, too
 */
public record RetryPolicy(
        int maxRetries, Duration firstDelay, double backoff, Duration attemptTimeout) {

    static final int DEFAULT_RETRIES = 5;
    static final long DEFAULT_FIRST_DELAY_MILLIS = 100;
    static final double DEFAULT_BACKOFF = 1.5;
    static final long DEFAULT_ATTEMPT_TIMEOUT_MILLIS = 10_000;

    /**
     * An {@code attemptTimeout} without a limit: an attempt may take as long as the call. Failed
     * sends are retried, a reply that does not arrive is not.
     */
    public static final Duration UNBOUNDED = Duration.ofNanos(Long.MAX_VALUE);

    /**
     * Five retries, after 100, 100, 150, 225 and 337.5 ms, of attempts of 10 s: the defaults of
     * {@link Retry} and of the setting {@code gradwire.retries}. A call with a timeout of 10 s or
     * less has no time for a second attempt after a lost request or reply: give its attempts less
     * time with {@link #withAttemptTimeout}.
     */
    public static final RetryPolicy DEFAULT =
            new RetryPolicy(
                    DEFAULT_RETRIES,
                    Duration.ofMillis(DEFAULT_FIRST_DELAY_MILLIS),
                    DEFAULT_BACKOFF,
                    Duration.ofMillis(DEFAULT_ATTEMPT_TIMEOUT_MILLIS));

    /** No retry: overrides the policy of the function and of the configuration. */
    public static final RetryPolicy NONE = new RetryPolicy(0, Duration.ZERO, 1);

    /** Create a policy whose attempts are {@link #UNBOUNDED}: only the call's timeout ends them. */
    public RetryPolicy(int maxRetries, Duration firstDelay, double backoff) {
        this(maxRetries, firstDelay, backoff, UNBOUNDED);
    }

    public RetryPolicy {
        if (maxRetries < 0) {
            throw new IllegalArgumentException(
                    "maxRetries cannot be negative, but is " + maxRetries);
        }
        if (!(backoff >= 1)) { // NaN, too
            throw new IllegalArgumentException("backoff must be at least 1, but is " + backoff);
        }
        if (Double.isInfinite(backoff)) {
            throw new IllegalArgumentException("backoff must be finite, but is " + backoff);
        }
        if (firstDelay.isNegative()) {
            throw new IllegalArgumentException(
                    "firstDelay cannot be negative, but is " + firstDelay);
        }
        if (!attemptTimeout.isPositive()) {
            throw new IllegalArgumentException(
                    "attemptTimeout must be more than zero, but is " + attemptTimeout);
        }
    }

    /** {@return the same policy with another number of retries} */
    public RetryPolicy withMaxRetries(int newMaxRetries) {
        return new RetryPolicy(newMaxRetries, firstDelay, backoff, attemptTimeout);
    }

    /** {@return the same policy with another timeout for each attempt} */
    public RetryPolicy withAttemptTimeout(Duration newAttemptTimeout) {
        return new RetryPolicy(maxRetries, firstDelay, backoff, newAttemptTimeout);
    }

    /** {@return the delay before a retry, counted from 1} */
    public Duration delayBefore(int retry) {
        double factor = Math.pow(backoff, Math.max(0, retry - 2));
        return Duration.ofNanos(Math.round(TimeUnit.NANOSECONDS.convert(firstDelay) * factor));
    }
}
