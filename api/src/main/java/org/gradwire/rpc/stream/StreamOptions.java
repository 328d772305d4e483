package org.gradwire.rpc.stream;

import java.time.Duration;

/**
 * The limits of a stream.
 *
 * @param credits the number of values that may be ready or in flight before the consumer takes
 *     them; 1 to {@value #MOST_CREDITS}
 * @param idleLimit the time after which the stream fails if the producer makes no value that the
 *     consumer waits for, or the consumer asks for none; more than zero
 */
public record StreamOptions(int credits, Duration idleLimit) {
    /** The largest number of credits. */
    public static final int MOST_CREDITS = 65_536;

    /** 64 credits, and an idle limit of ten minutes. */
    public static final StreamOptions DEFAULT = new StreamOptions(64, Duration.ofMinutes(10));

    /** Check the limits. */
    public StreamOptions {
        if (credits < 1 || credits > MOST_CREDITS) {
            throw new IllegalArgumentException(
                    "a stream needs 1 to %d credits, but got %d".formatted(MOST_CREDITS, credits));
        }
        if (!idleLimit.isPositive()) {
            throw new IllegalArgumentException(
                    "the idle limit of a stream must be more than zero, but got " + idleLimit);
        }
    }

    /** Return the same limits with another number of credits. */
    public StreamOptions withCredits(int newCredits) {
        return new StreamOptions(newCredits, idleLimit);
    }

    /** Return the same limits with another idle limit. */
    public StreamOptions withIdleLimit(Duration newLimit) {
        return new StreamOptions(credits, newLimit);
    }
}
