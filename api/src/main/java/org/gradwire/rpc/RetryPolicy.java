package org.gradwire.rpc;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * When a message is sent again that was not answered, or could not be sent. The counterpart of
 * PyTorch's {@code RpcRetryOptions}, which repeat control messages only.
 *
 * <p>Given to a call, it is sent again with the same id until it is answered, and the callee runs
 * the function once: see {@link RpcCalls#withRetry}. An attempt fails when it cannot be sent, and
 * when no answer has come within its time. What the function throws is an answer.
 *
 * @param maxRetries attempts after the first; 0 means that the message is sent once
 * @param firstDelay before the first retry, and before the second
 * @param backoff by which each further delay is longer than the one before; 1 or more
 * @param attemptTimeout how long an attempt waits for its answer, more than zero; it never waits
 *     longer than the call. A function that takes longer is not stopped: later attempts are
 *     answered with its result, too
 */
public record RetryPolicy(
        int maxRetries, Duration firstDelay, double backoff, Duration attemptTimeout) {

    /** As {@code attemptTimeout}: an attempt may take as long as the call. */
    public static final Duration UNBOUNDED = Duration.ofNanos(Long.MAX_VALUE);

    /**
     * Five retries, after 1, 1, 1.5, 2.25 and 3.375 s, of attempts without a time of their own:
     * PyTorch's default.
     */
    public static final RetryPolicy DEFAULT = new RetryPolicy(5, Duration.ofSeconds(1), 1.5);

    /** No retry: switches off what the function or the configuration says. */
    public static final RetryPolicy NONE = new RetryPolicy(0, Duration.ZERO, 1);

    /** Create a policy whose attempts may take as long as the call. */
    public RetryPolicy(int maxRetries, Duration firstDelay, double backoff) {
        this(maxRetries, firstDelay, backoff, UNBOUNDED);
    }

    public RetryPolicy {
        if (maxRetries < 0) {
            throw new IllegalArgumentException("maxRetries cannot be negative.");
        }
        if (!(backoff >= 1)) { // NaN, too
            throw new IllegalArgumentException("maxRetries cannot be exponentially decaying.");
        }
        if (Double.isInfinite(backoff)) {
            throw new IllegalArgumentException("backoff must be finite, but is " + backoff);
        }
        if (firstDelay.isNegative()) {
            throw new IllegalArgumentException("rpcRetryDuration cannot be negative.");
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

    /** {@return the same policy with another time for each attempt} */
    public RetryPolicy withAttemptTimeout(Duration newAttemptTimeout) {
        return new RetryPolicy(maxRetries, firstDelay, backoff, newAttemptTimeout);
    }

    /** {@return how long to wait before a retry, counted from 1} */
    public Duration delayBefore(int retry) {
        double factor = Math.pow(backoff, Math.max(0, retry - 2));
        return Duration.ofNanos(Math.round(TimeUnit.NANOSECONDS.convert(firstDelay) * factor));
    }
}
