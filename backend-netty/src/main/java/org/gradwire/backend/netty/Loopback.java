package org.gradwire.backend.netty;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;
import org.gradwire.spi.PendingCalls;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** The calls of a worker to itself: copied, and handed in by the loop. Thread-safe. */
final class Loopback {
    private final int self;
    private final Engine engine;
    private final PendingCalls pending;
    private final Statistics statistics;
    private final SendBudget waiting;

    Loopback(
            int self,
            Engine engine,
            PendingCalls pending,
            Statistics statistics,
            SendBudget waiting) {
        this.self = self;
        this.engine = engine;
        this.pending = pending;
        this.statistics = statistics;
        this.waiting = waiting;
    }

    SendBudget waiting() {
        return waiting;
    }

    /** Send a request that is charged. */
    void send(long id, Message request) {
        statistics.sent(request);
        var reply =
                new Reply(
                        answer -> reply(id, answer),
                        why -> pending.fail(id, new RpcException(RpcErrorKind.UNKNOWN, why)));
        try {
            Message copy = copy(request);
            engine.loop()
                    .execute(() -> {
                        waiting.giveBack(request);
                        engine.inbox().onOwnRequest(self, copy, reply);
                    });
        } catch (OutOfMemoryError e) {
            waiting.giveBack(request);
            pending.fail(id, noMemory(e));
        } finally {
            request.release();
        }
    }

    private static RpcException noMemory(OutOfMemoryError e) {
        return new RpcException(
                RpcErrorKind.REFUSED, "no memory to receive the message: " + e.getMessage());
    }

    private void reply(long id, Message reply) {
        String refusal = engine.oversize(reply);
        if (refusal != null) {
            reply.release();
            pending.fail(id, new RpcException(RpcErrorKind.REFUSED, refusal));
            return;
        }
        statistics.sent(reply);
        try {
            Message copy = copy(reply);
            engine.loop()
                    .execute(() -> {
                        statistics.received(copy);
                        pending.complete(id, self, copy);
                    });
        } catch (OutOfMemoryError e) {
            pending.fail(id, noMemory(e));
        } finally {
            reply.release();
        }
    }

    private Message copy(Message message) {
        List<MemorySegment> copies = new ArrayList<>(message.buffers().size());
        for (MemorySegment buffer : message.buffers()) {
            MemorySegment copy =
                    engine.inbox().allocator().allocate(ElementKind.of(buffer), buffer.byteSize());
            copies.add(copy.copyFrom(buffer));
        }
        return new Message(message.type(), message.payload(), copies);
    }
}
