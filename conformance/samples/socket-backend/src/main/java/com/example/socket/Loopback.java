package com.example.socket;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Message;

import java.time.Duration;
import java.util.function.Consumer;

/** Delivers a worker's messages to itself: a bounded queue, and a thread that copies. */
final class Loopback implements Answer.Way {
    private static final Duration LONG = Duration.ofHours(1);

    private final Session session;
    private final Outbox outbox;
    private final Thread thread;

    Loopback(Session session) {
        this.session = session;
        outbox = new Outbox("this worker itself", session.options().sendQueueBytes());
        thread = session.thread("loopback", this::run);
    }

    void start() {
        thread.start();
    }

    /** As {@link Outbox#add}. */
    boolean send(long id, Message request, long timeoutNanos) {
        return outbox.add(new Frame.Request(id, request), timeoutNanos);
    }

    private void run() {
        try {
            for (Frame frame; (frame = outbox.take(LONG)) != null; ) {
                deliver(frame);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    private void deliver(Frame frame) {
        int self = session.identity().id();
        switch (frame) {
            case Frame.Request(long id, Message request) ->
                    withCopy(id, request, copy -> session.handIn(self, copy, new Answer(this, id)));
            case Frame.Reply(long id, Message reply) ->
                    withCopy(id, reply, copy -> session.pending().complete(id, self, copy));
            default -> {} // a heartbeat, if the queue was empty
        }
    }

    private void withCopy(long id, Message message, Consumer<Message> deliver) {
        Message copy;
        try {
            copy = message.copy(session.context().allocator());
        } catch (RuntimeException | OutOfMemoryError e) {
            refuse(id, RpcErrorKind.REFUSED, "a message to oneself cannot be copied: " + e);
            return;
        } finally {
            message.release();
        }
        deliver.accept(copy);
    }

    @Override
    public void reply(long id, Message reply) {
        try {
            session.requireSendable(reply);
            outbox.add(new Frame.Reply(id, reply), 0);
        } catch (RpcException refused) {
            session.pending().fail(id, refused);
        }
    }

    @Override
    public void refuse(long id, RpcErrorKind kind, String reason) {
        session.pending().fail(id, new RpcException(kind, reason));
    }

    long waitingBytes() {
        return outbox.waitingBytes();
    }

    void close() {
        outbox.discard();
    }
}
