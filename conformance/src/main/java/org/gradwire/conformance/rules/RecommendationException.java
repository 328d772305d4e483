package org.gradwire.conformance.rules;

import org.opentest4j.TestAbortedException;

/**
 * A recommendation that a backend does not keep: the build goes on, the report has a warning.
 *
 * <p>JUnit knows passed, failed and aborted tests only; the report tells the two that are aborted,
 * warnings and skipped tests, apart.
 */
public final class RecommendationException extends TestAbortedException {
    private static final long serialVersionUID = 1L;

    RecommendationException(AssertionError broken) {
        super(broken.getMessage(), broken);
    }
}
