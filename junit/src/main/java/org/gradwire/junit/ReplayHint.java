package org.gradwire.junit;

import java.io.Serial;

/** Goes with the failure of a test, to be printed wherever that is. It has no stack. */
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
