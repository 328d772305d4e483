package org.gradwire.conformance.rules;

import org.gradwire.conformance.harness.BackendUnderTest;
import org.gradwire.spi.BackendProvider;

/**
 * One numbered rule of {@code docs/BACKEND-RULES.md}, with the check that a backend keeps it.
 *
 * @param id such as {@code SEND-1}
 * @param text what a backend must do
 * @param hint where to look when the check fails
 * @param check throws an {@link AssertionError} when the backend breaks the rule
 */
public record Rule(String id, String text, String hint, Check check) {

    /** A check. */
    @FunctionalInterface
    public interface Check {
        void run(BackendProvider provider, BackendUnderTest backend);
    }

    /**
     * Check that a backend keeps the rule.
     *
     * @throws AssertionError when it does not; the message names the rule
     */
    public void verify(BackendProvider provider, BackendUnderTest backend) {
        try {
            check.run(provider, backend);
        } catch (AssertionError | RuntimeException e) {
            throw new AssertionError(
                    "rule %s is broken by backend '%s': %s%n  the rule: %s%n  look for: %s"
                            .formatted(id, backend.name(), e.getMessage(), text, hint),
                    e);
        }
    }
}
