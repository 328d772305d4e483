package org.gradwire.conformance.harness;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.function.Executable;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/** Assertions that several suites share. */
public final class Expect {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Expect() {}

    /** Assert that a tensor has the same shape, type and elements. */
    public static void tensor(Tensor expected, Tensor actual) {
        if (!expected.equal(actual)) {
            fail(
                    "expected %s of %s, but got %s of %s"
                            .formatted(expected, expected.dtype(), actual, actual.dtype()));
        }
    }

    /** Assert that a body fails with a message that contains a match, and return the failure. */
    public static <T extends Throwable> T failure(Class<T> type, String pattern, Executable body) {
        T failure = assertThrows(type, body);
        String text = String.valueOf(failure.getMessage());
        if (!Pattern.compile(pattern).matcher(text).find()) {
            throw new AssertionError(
                    "expected a failure that says /%s/, but it says: %s".formatted(pattern, text),
                    failure);
        }
        return failure;
    }

    /** Wait until a condition holds, for at most 30 seconds. */
    public static void eventually(String what, BooleanSupplier condition)
            throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                fail(what + ": did not hold within " + PATIENCE);
            }
            Thread.sleep(2);
        }
    }
}
