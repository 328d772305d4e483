package org.gradwire.attack.site;

import java.io.IOException;

/** Thrown when an attack needs a resource that this machine or user does not have. */
public final class UnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    UnavailableException(String message) {
        super(message);
    }
}
