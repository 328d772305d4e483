package org.gradwire.backend.netty;

import org.gradwire.spi.Message;
import org.gradwire.spi.ReplySink;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Takes the reply to one request; only the first one is sent. */
final class Reply implements ReplySink {
    private final AtomicBoolean isGiven = new AtomicBoolean();
    private final Consumer<Message> send;
    private final Consumer<String> fail;

    /** Create the way back of a request. */
    Reply(Consumer<Message> send) {
        this(send, _ -> {});
    }

    /**
     * Create the way back of a request.
     *
     * @param fail ends the request with a text
     */
    Reply(Consumer<Message> send, Consumer<String> fail) {
        this.send = send;
        this.fail = fail;
    }

    @Override
    public void reply(Message reply) {
        if (isGiven.getAndSet(true)) {
            reply.release();
        } else {
            send.accept(reply);
        }
    }

    /** End the request with a failure, unless it is answered. */
    void fail(String why) {
        if (!isGiven.getAndSet(true)) {
            fail.accept(why);
        }
    }
}
