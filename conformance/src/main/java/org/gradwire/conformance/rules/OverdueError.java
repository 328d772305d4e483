package org.gradwire.conformance.rules;

/**
 * A request did not time out in the check of another rule. If plain requests do not either, the
 * rule about deadlines is broken.
 */
final class OverdueError extends AssertionError {
    private static final long serialVersionUID = 1L;

    OverdueError(String message) {
        super(message);
    }
}
