package org.gradwire.tensor.testing;

import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.function.Executable;

/** Checks what goes wrong. */
public final class FailureAssertions {

    private FailureAssertions() {}

    /** Check that something fails with a type of exception whose message contains a text. */
    public static void assertFails(
            Class<? extends Throwable> type, String text, Executable action) {
        String message = String.valueOf(assertThrows(type, action).getMessage());
        assertTrue(message.contains(text), "'" + message + "' should contain '" + text + "'");
    }
}
