package org.gradwire.rpc;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

/** The delays between attempts, and the refusal of invalid policies. */
class RetryPolicyTest {

    @Test
    void theDefaultRetriesFiveTimesAndTheFirstTwoDelaysAreEqual() {
        assertEquals(
                new RetryPolicy(5, Duration.ofMillis(100), 1.5, Duration.ofSeconds(10)),
                RetryPolicy.DEFAULT);
        assertEquals(
                List.of(100_000L, 100_000L, 150_000L, 225_000L, 337_500L),
                IntStream.rangeClosed(1, 5)
                        .mapToObj(retry -> RetryPolicy.DEFAULT.delayBefore(retry).toNanos() / 1000)
                        .toList());
    }

    @Test
    void theDefaultsOfTheAnnotationAreThoseOfThePolicy() throws Exception {
        Retry mark =
                Objects.requireNonNull(
                        Marked.class.getDeclaredMethod("marked").getAnnotation(Retry.class));
        assertEquals(
                RetryPolicy.DEFAULT,
                new RetryPolicy(
                        mark.maxRetries(),
                        Duration.ofMillis(mark.firstDelayMillis()),
                        mark.backoff(),
                        Duration.ofMillis(mark.attemptTimeoutMillis())));
    }

    /** A function with the policy of an annotation without values. */
    private interface Marked {
        @Retry
        @SuppressWarnings("UnusedMethod") // found by reflection
        void marked();
    }

    @Test
    void anotherNumberOfRetriesKeepsTheDelays() {
        RetryPolicy cleanup = RetryPolicy.DEFAULT.withMaxRetries(20);
        assertEquals(20, cleanup.maxRetries());
        assertEquals(Duration.ofNanos(337_500_000), cleanup.delayBefore(5));
        assertEquals(Duration.ofNanos(506_250_000), cleanup.delayBefore(6));
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
        Duration first = Duration.ofMillis(100);
        assertEquals(RetryPolicy.UNBOUNDED, new RetryPolicy(5, first, 1.5).attemptTimeout());
        assertEquals(
                new RetryPolicy(5, first, 1.5, Duration.ofMillis(2)),
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
