package org.gradwire.spi;

/**
 * Learns how a request ended. One of the methods is called, once, on a poller; they return quickly
 * and do not throw.
 */
public interface ReplyHandler {

    /** Take the reply, which may be an {@link MessageTypes#EXCEPTION}. */
    void onReply(Message reply);

    /**
     * Learn that there will be no reply: the time is up, the peer is lost, the agent was closed, or
     * the request could not be sent.
     */
    void onFailure(RuntimeException failure);
}
