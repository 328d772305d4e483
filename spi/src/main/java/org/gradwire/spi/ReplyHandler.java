package org.gradwire.spi;

/**
 * Receives the outcome of a request. Exactly one of the methods is called, once, on a poller; they
 * return quickly and do not throw.
 */
public interface ReplyHandler {

    /** Handle the reply, which may be an {@link MessageTypes#EXCEPTION}. */
    void onReply(Message reply);

    /**
     * Handle the failure of the request: its deadline has passed, the peer is lost, the agent was
     * closed, or it could not be sent.
     */
    void onFailure(RuntimeException failure);
}
