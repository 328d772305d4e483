package org.gradwire.conformance.cases.rpc;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.fail;

import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.function.Executable;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.regex.Pattern;

/** What the cases have to say about results. */
final class Expect {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private Expect() {}

    /** Assert that a tensor has the same shape, type and elements. */
    static void tensor(Tensor expected, Tensor actual) {
        if (!expected.equal(actual)) {
            fail(
                    "expected %s of %s, but got %s of %s"
                            .formatted(expected, expected.dtype(), actual, actual.dtype()));
        }
    }

    /** Assert that something fails with a text that contains a match, and return the failure. */
    static <T extends Throwable> T failure(Class<T> type, String pattern, Executable body) {
        T failure = assertThrows(type, body);
        String text = String.valueOf(failure.getMessage());
        if (!Pattern.compile(pattern).matcher(text).find()) {
            throw new AssertionError(
                    "expected a failure that says /%s/, but it says: %s".formatted(pattern, text),
                    failure);
        }
        return failure;
    }

    /** Wait for what must become true. */
    static void eventually(String what, BooleanSupplier condition) throws InterruptedException {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                fail(what + ": not so within " + PATIENCE);
            }
            Thread.sleep(2);
        }
    }
}
