package org.gradwire.attack.site;

import java.io.IOException;

/** Something that an attack needs is not to be had on this machine, or not by this user. */
public final class UnavailableException extends IOException {
    private static final long serialVersionUID = 1L;

    UnavailableException(String message) {
        super(message);
    }
}
