package org.gradwire.junit;

import java.io.Serial;

/** A suppressed exception without a stack that shows the seed with a test's failure. */
final class ReplayHint extends Exception {
    @Serial private static final long serialVersionUID = 1L;

    ReplayHint(String text) {
        super(
                text,
                /* cause= */ null,
                /* enableSuppression= */ false,
                /* writableStackTrace= */ false);
    }
}
