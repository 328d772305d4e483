package org.gradwire.backend.netty;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.Message;
import org.gradwire.spi.PendingCalls;

/** Copies the calls of a worker to itself, and delivers them on the loop. Thread-safe. */
final class Loopback {
    private final AgentLoop loop;
    private final MessageDispatcher dispatcher;
    private final BufferAllocator allocator;
    private final MessageLimits limits;
    private final PendingCalls pending;
    private final AgentMetrics metrics;
    private final SendBudget waiting;

    Loopback(
            AgentLoop loop,
            MessageDispatcher dispatcher,
            BufferAllocator allocator,
            MessageLimits limits,
            PendingCalls pending,
            AgentMetrics metrics) {
        this.loop = loop;
        this.dispatcher = dispatcher;
        this.allocator = allocator;
        this.limits = limits;
        this.pending = pending;
        this.metrics = metrics;
        waiting = new SendBudget(limits.sendQueueBytes());
    }

    SendBudget waiting() {
        return waiting;
    }

    /**
     * Send a request that is charged.
     *
     * @param self id of this worker
     */
    void send(int self, long id, Message request) {
        metrics.sent(request);
        var sink =
                new Reply(
                        reply -> reply(self, id, reply),
                        reason -> pending.fail(id, new RpcException(RpcErrorKind.UNKNOWN, reason)));
        try {
            Message copy = request.copy(allocator);
            loop.execute(() -> {
                waiting.release(request);
                dispatcher.onOwnRequest(self, copy, sink);
            });
        } catch (OutOfMemoryError e) {
            waiting.release(request);
            pending.fail(id, noMemory(e));
        } finally {
            request.release();
        }
    }

    private static RpcException noMemory(OutOfMemoryError e) {
        return new RpcException(
                RpcErrorKind.REFUSED, "no memory to receive the message: " + e.getMessage());
    }

    private void reply(int self, long id, Message reply) {
        String excess = limits.excessOf(reply);
        if (excess != null) {
            reply.release();
            pending.fail(id, new RpcException(RpcErrorKind.REFUSED, excess));
            return;
        }
        metrics.sent(reply);
        try {
            Message copy = reply.copy(allocator);
            loop.execute(() -> {
                metrics.received(copy);
                pending.complete(id, self, copy);
            });
        } catch (OutOfMemoryError e) {
            pending.fail(id, noMemory(e));
        } finally {
            reply.release();
        }
    }
}
