package org.gradwire.spi;

import java.util.function.Consumer;

/**
 * A request of an extension's own type, and the way to answer it. Exactly one answer counts, the
 * first; it may be given on any thread, any time later.
 */
public interface IncomingRequest {

    /** {@return id of the worker that sent it} */
    int from();

    /** {@return what it says} */
    Input body();

    /**
     * Answer it.
     *
     * @param type one of the reply types
     * @param body writes what the answer says
     */
    void reply(int type, Consumer<Output> body);

    /**
     * Let the request count against the limits of its worker also after it is answered, when a
     * handler keeps a part of it. Called on the thread of the handler, before the answer.
     *
     * @return ends that; to be run once, on any thread
     * @throws DecodingException when the worker has too much open; then nothing counts
     */
    Runnable keepCounting();

    /**
     * Answer that it failed. The requester sees an {@link org.gradwire.rpc.RpcException} whose
     * message is {@code Error on Node <id>: } and that of the failure.
     */
    void fail(Throwable failure);
}
