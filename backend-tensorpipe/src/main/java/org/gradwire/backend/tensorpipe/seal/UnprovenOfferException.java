package org.gradwire.backend.tensorpipe.seal;

import java.io.Serial;

/** An offer is not its worker's. */
public final class UnprovenOfferException extends Exception {
    @Serial private static final long serialVersionUID = 1;

    UnprovenOfferException(String message) {
        super(message);
    }

    UnprovenOfferException(String message, Throwable cause) {
        super(message, cause);
    }
}
