package org.gradwire.spi;

/** Takes the reply to a request. */
@FunctionalInterface
public interface ReplySink {

    /**
     * Send the reply. Never blocks and never throws: when the requester is gone the reply is
     * dropped. Only the first call does anything.
     *
     * @param reply released by the agent when it reads its memory no more
     */
    void reply(Message reply);
}
