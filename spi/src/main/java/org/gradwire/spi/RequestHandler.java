package org.gradwire.spi;

/**
 * Handles the requests of one message type of an extension. Belongs to one worker and is called
 * from many threads.
 */
public interface RequestHandler {

    /** {@return the type of the requests} */
    int requestType();

    /**
     * {@return whether {@link #handle} is short, never blocks and runs no user code, so that it may
     * run on a poller; otherwise it runs on a virtual thread}
     */
    boolean runsOnPoller();

    /**
     * Handle a request. An exception is sent as the failure of the request.
     *
     * @param request to reply to, now or later
     */
    void handle(IncomingRequest request);
}
