package org.gradwire.launcher.secure;

import java.io.IOException;

/** A launcher may not join, for the reason in the message. */
final class JoinRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    JoinRefusedException(String message) {
        super(message);
    }
}
