package org.gradwire.backend.netty;

import org.gradwire.spi.Message;
import org.gradwire.spi.ReplySink;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Sink of the reply to a request; only the first one is sent. Thread-safe. */
final class Reply implements ReplySink {
    private final AtomicBoolean isSent = new AtomicBoolean();
    private final Consumer<Message> send;
    private final Consumer<String> fail;

    /** Create the sink of a request from a peer. */
    Reply(Consumer<Message> send) {
        this(send, _ -> {});
    }

    /**
     * Create the sink of a request.
     *
     * @param fail ends the request with the reason of a failure
     */
    Reply(Consumer<Message> send, Consumer<String> fail) {
        this.send = send;
        this.fail = fail;
    }

    @Override
    public void reply(Message reply) {
        if (isSent.getAndSet(true)) {
            reply.release();
        } else {
            send.accept(reply);
        }
    }

    /** Fail the request, unless it has a reply. */
    void fail(String reason) {
        if (!isSent.getAndSet(true)) {
            fail.accept(reason);
        }
    }
}
