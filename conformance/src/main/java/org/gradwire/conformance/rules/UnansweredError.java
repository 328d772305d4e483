package org.gradwire.conformance.rules;

/**
 * A request got no reply, though the check was about something else. When plain requests get none
 * either, another rule than the one that was checked is broken.
 */
final class UnansweredError extends AssertionError {
    private static final long serialVersionUID = 1L;

    UnansweredError(String message) {
        super(message);
    }
}
