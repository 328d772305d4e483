package org.gradwire.rpc.elastic;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The interrupts of steps after a change of the members. */
@Timeout(30)
class StepInterrupterTest {
    private final StepInterrupter interrupter = new StepInterrupter(Duration.ofMillis(1));

    /** Wait; {@return whether the wait was interrupted} */
    private static boolean isInterruptedWithin(Duration time) {
        try {
            boolean ended = new CountDownLatch(1).await(time.toMillis(), TimeUnit.MILLISECONDS);
            assertFalse(ended);
            return false;
        } catch (InterruptedException _) {
            return true;
        }
    }

    @Test
    void stepOfAnEarlierViewIsInterrupted() {
        assertTrue(
                interrupter.call(
                        5,
                        () -> {
                            interrupter.onView(6);
                            return isInterruptedWithin(Duration.ofSeconds(20));
                        }));
    }

    @Test
    void stepThatKnowsTheViewIsNot() {
        assertFalse(
                interrupter.call(
                        6,
                        () -> {
                            interrupter.onView(6);
                            return isInterruptedWithin(Duration.ofMillis(100));
                        }));
    }

    @Test
    void interruptDoesNotOutlastItsStep() {
        assertThrows(
                IllegalStateException.class,
                () ->
                        interrupter.call(
                                5,
                                () -> {
                                    interrupter.onView(6);
                                    assertTrue(isInterruptedWithin(Duration.ofSeconds(20)));
                                    Thread.currentThread().interrupt(); // as a call does that fails
                                    throw new IllegalStateException();
                                }));
        assertFalse(Thread.currentThread().isInterrupted());
    }
}
