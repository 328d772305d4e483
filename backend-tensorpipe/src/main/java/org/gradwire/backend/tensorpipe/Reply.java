package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.Message;
import org.gradwire.spi.ReplySink;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/** Takes the reply to one request, once. Thread-safe. */
final class Reply implements ReplySink {
    private final AtomicBoolean isGiven = new AtomicBoolean();
    private final Consumer<Message> way;

    /** Create one for a way back, which releases the message in the end and does not throw. */
    Reply(Consumer<Message> way) {
        this.way = way;
    }

    @Override
    public void reply(Message reply) {
        if (isGiven.compareAndSet(false, true)) {
            way.accept(reply);
        } else {
            reply.release();
        }
    }
}
