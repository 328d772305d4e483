package org.gradwire.runtime.store;

import java.io.IOException;

/** The process at the store's address is not this group's store; a retry is useless. */
final class HandshakeRefusedException extends IOException {
    private static final long serialVersionUID = 1L;

    HandshakeRefusedException(String message) {
        super(message);
    }
}
