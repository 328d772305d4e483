package org.gradwire.conformance.rules;

/**
 * A request got no reply in the check of another rule. If plain requests get none either, the rule
 * about replies is broken.
 */
final class UnansweredError extends AssertionError {
    private static final long serialVersionUID = 1L;

    UnansweredError(String message) {
        super(message);
    }
}
