package org.gradwire.spi;

import java.util.function.Consumer;

/**
 * A request of an extension's own type, to reply to. Only the first reply has an effect; it may be
 * sent on any thread, at any time.
 */
public interface IncomingRequest {

    /** {@return the id of the sender} */
    int from();

    /** {@return the payload} */
    Input body();

    /**
     * Send the reply.
     *
     * @param type one of the reply types
     * @param body writes the payload of the reply
     */
    void reply(int type, Consumer<Output> body);

    /**
     * Keep the request's memory charged to its sender after the reply, for a handler that retains a
     * part of it. Called on the thread of the handler, before the reply.
     *
     * @return an action that ends the charge, to run once, on any thread
     * @throws DecodingException if the sender's limit is exceeded; nothing is charged then
     */
    Runnable keepCounting();

    /**
     * Reply with a failure. The caller gets an {@link org.gradwire.rpc.RpcException} with the
     * message {@code Error on Node <id>: } and the failure's.
     */
    void fail(Throwable failure);
}
