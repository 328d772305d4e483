package org.gradwire.spi;

import java.time.Duration;

/**
 * How a control message is repeated until it is answered. PyTorch's {@code RpcRetryOptions}.
 *
 * @param maxRetries attempts after the first
 * @param firstDelay before the first retry, and before the second
 * @param backoff by which each further delay is longer than the one before
 */
public record RetryPolicy(int maxRetries, Duration firstDelay, double backoff) {

    /** Five retries, after 1, 1, 1.5, 2.25 and 3.375 s. */
    public static final RetryPolicy DEFAULT = new RetryPolicy(5, Duration.ofSeconds(1), 1.5);

    public RetryPolicy {
        if (maxRetries < 0) {
            throw new IllegalArgumentException("maxRetries cannot be negative.");
        }
        if (!(backoff >= 1)) { // NaN, too
            throw new IllegalArgumentException("maxRetries cannot be exponentially decaying.");
        }
        if (firstDelay.isNegative()) {
            throw new IllegalArgumentException("rpcRetryDuration cannot be negative.");
        }
    }

    /** {@return the same policy with another number of retries} */
    public RetryPolicy withMaxRetries(int newMaxRetries) {
        return new RetryPolicy(newMaxRetries, firstDelay, backoff);
    }

    /** {@return how long to wait before a retry, counted from 1} */
    public Duration delayBefore(int retry) {
        double factor = Math.pow(backoff, Math.max(0, retry - 2));
        return Duration.ofNanos(Math.round(firstDelay.toNanos() * factor));
    }
}
