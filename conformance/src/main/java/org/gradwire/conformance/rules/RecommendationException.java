package org.gradwire.conformance.rules;

import org.opentest4j.TestAbortedException;

/**
 * A broken recommendation: the build succeeds, and the report shows a warning.
 *
 * <p>JUnit knows passed, failed and aborted tests only; the report splits aborted tests into
 * warnings and skipped tests.
 */
public final class RecommendationException extends TestAbortedException {
    private static final long serialVersionUID = 1L;

    RecommendationException(AssertionError broken) {
        super(broken.getMessage(), broken);
    }
}
