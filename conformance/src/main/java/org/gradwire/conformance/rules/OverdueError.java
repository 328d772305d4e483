package org.gradwire.conformance.rules;

/**
 * A request that nobody answers did not end in its time, though the check was about something else.
 * When plain requests do not either, the rule about deadlines is broken.
 */
final class OverdueError extends AssertionError {
    private static final long serialVersionUID = 1L;

    OverdueError(String message) {
        super(message);
    }
}
