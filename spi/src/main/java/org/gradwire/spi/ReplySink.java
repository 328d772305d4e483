package org.gradwire.spi;

/** Accepts the reply to a request. */
@FunctionalInterface
public interface ReplySink {

    /**
     * Send the reply. Never blocks and never throws: the reply to a lost caller is dropped. Only
     * the first call has an effect.
     *
     * @param reply released by the agent after its last access
     */
    void reply(Message reply);
}
