package org.gradwire.runtime.store;

import java.io.IOException;

/** One side of a handshake does not accept the other; a retry is useless. */
final class HandshakeRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    HandshakeRefusedException(String message) {
        super(message);
    }
}
