package org.gradwire.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;

/** The delays between attempts, and the refusal of invalid policies. */
class RetryPolicyTest {

    @Test
    void theDefaultRetriesFiveTimesAndTheFirstTwoDelaysAreEqual() {
        assertEquals(5, RetryPolicy.DEFAULT.maxRetries());
        assertEquals(
                List.of(1000L, 1000L, 1500L, 2250L, 3375L),
                IntStream.rangeClosed(1, 5)
                        .mapToObj(retry -> RetryPolicy.DEFAULT.delayBefore(retry).toMillis())
                        .toList());
    }

    @Test
    void anotherNumberOfRetriesKeepsTheDelays() {
        RetryPolicy cleanup = RetryPolicy.DEFAULT.withMaxRetries(20);
        assertEquals(20, cleanup.maxRetries());
        assertEquals(Duration.ofMillis(3375), cleanup.delayBefore(5));
        assertEquals(Duration.ofNanos(5_062_500_000L), cleanup.delayBefore(6));
    }

    @Test
    void aDelayThatIsTooLongToCountIsTheLongest() {
        assertEquals(
                Duration.ofNanos(Long.MAX_VALUE),
                new RetryPolicy(5000, Duration.ofSeconds(1), 2).delayBefore(5000));
    }

    @Test
    void argumentsAreCheckedWithTheTextsThatProgramsMatch() {
        refused("maxRetries cannot be negative, but is -1", -1, Duration.ZERO, 1);
        refused("backoff must be at least 1, but is 0.99", 1, Duration.ZERO, 0.99);
        refused("backoff must be at least 1, but is NaN", 1, Duration.ZERO, Double.NaN);
        refused(
                "firstDelay cannot be negative, but is PT-0.000000001S",
                1,
                Duration.ofNanos(-1),
                1);
        refused(
                "backoff must be finite, but is Infinity",
                1,
                Duration.ZERO,
                Double.POSITIVE_INFINITY);
    }

    @Test
    void anAttemptHasSomeTime() {
        Duration second = Duration.ofSeconds(1);
        assertEquals(RetryPolicy.UNBOUNDED, RetryPolicy.DEFAULT.attemptTimeout());
        assertEquals(
                new RetryPolicy(5, second, 1.5, Duration.ofMillis(2)),
                RetryPolicy.DEFAULT.withAttemptTimeout(Duration.ofMillis(2)));
        for (Duration none : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            assertEquals(
                    "attemptTimeout must be more than zero, but is " + none,
                    assertThrows(
                                    IllegalArgumentException.class,
                                    () -> RetryPolicy.DEFAULT.withAttemptTimeout(none))
                            .getMessage());
        }
    }

    @Test
    void delaysStayWithinWhatCanBeCounted() {
        assertEquals(
                Duration.ZERO, new RetryPolicy(9, Duration.ZERO, 1e300).delayBefore(1_000_000));
        assertEquals(
                Duration.ofNanos(Long.MAX_VALUE),
                new RetryPolicy(9, Duration.ofSeconds(Long.MAX_VALUE), 1).delayBefore(1));
    }

    private static void refused(String text, int maxRetries, Duration first, double backoff) {
        assertEquals(
                text,
                assertThrows(
                                IllegalArgumentException.class,
                                () -> new RetryPolicy(maxRetries, first, backoff))
                        .getMessage());
    }
}
