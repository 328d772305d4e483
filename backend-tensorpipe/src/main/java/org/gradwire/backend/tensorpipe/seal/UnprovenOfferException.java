package org.gradwire.backend.tensorpipe.seal;

import java.io.Serial;

/** The proof or the signature of a peer's encryption offer is invalid. */
public final class UnprovenOfferException extends Exception {
    @Serial private static final long serialVersionUID = 1;

    UnprovenOfferException(String message) {
        super(message);
    }

    UnprovenOfferException(String message, Throwable cause) {
        super(message, cause);
    }
}
