package org.gradwire.spi;

/**
 * Handles the requests of one message type that an extension defines. It belongs to one worker and
 * is called from many threads.
 */
public interface RequestHandler {

    /** {@return the type of the requests} */
    int requestType();

    /**
     * {@return whether handling is short, never blocks and runs no user code, so that it may be
     * done on a poller; otherwise a virtual thread does it}
     */
    boolean light();

    /**
     * Handle a request. What this throws is answered as its failure.
     *
     * @param request must be answered, now or later
     */
    void handle(IncomingRequest request);
}
