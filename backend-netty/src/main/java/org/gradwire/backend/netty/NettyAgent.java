package org.gradwire.backend.netty;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger.Level;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A worker's connection to its group over TCP: the front of an {@link Engine}.
 *
 * <p><b>Threads.</b> All methods may be called from any thread. Callbacks run on the loop.
 */
final class NettyAgent implements RpcAgent {
    private static final System.Logger LOG = System.getLogger(NettyAgent.class.getPackageName());

    private final AgentContext context;
    private final WorkerInfo self;
    private final Options options;
    private final Statistics statistics = new Statistics();
    private final PendingCalls pending = new PendingCalls(System.nanoTime());
    private final AtomicReference<@Nullable Engine> started = new AtomicReference<>();
    private volatile boolean isClosed;

    NettyAgent(AgentContext context, Options options) {
        this.context = context;
        self = context.self();
        this.options = options;
    }

    @Override
    public void start(AgentListener listener) {
        if (isClosed || started.get() != null) {
            throw new IllegalStateException("an agent is started once");
        }
        var engine = new Engine(context, options, pending, statistics, listener);
        started.set(engine);
        engine.start();
    }

    private Engine engine() {
        Engine engine = started.get();
        if (engine == null) {
            throw new IllegalStateException("the agent was not started");
        }
        return engine;
    }

    @Override
    public void connect(List<WorkerInfo> members) {
        engine().connect(members);
    }

    @Override
    public void disconnect(int member) {
        engine().disconnect(member);
    }

    @Override
    public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        if (!MessageTypes.isRequest(request.type())) {
            throw new IllegalArgumentException(request + " is not a request");
        }
        Engine engine = engine();
        Peer peer = to == self.id() ? null : engine.find(to);
        RpcException refusal = refusal(engine, to, peer, request);
        if (refusal != null) {
            statistics.messagesRefused.increment();
            request.release();
            fail(handler, refusal);
            return;
        }
        long id = pending.add(to, timeoutNanos, System.nanoTime(), handler);
        if (peer == null) {
            engine.loopback().send(id, request);
        } else {
            engine.send(peer, FrameHeader.Kind.REQUEST, id, request);
        }
        failIfLate(engine, peer, id, request.type());
    }

    /** What ended the agent or the peer meanwhile may have missed this call. */
    private void failIfLate(Engine engine, @Nullable Peer peer, long id, int type) {
        if (engine.isClosed()) {
            pending.fail(id, PendingCalls.closed(self.id(), type));
        } else if (peer != null && peer.isLost()) {
            pending.fail(id, Engine.again(peer));
        }
    }

    private static void fail(ReplyHandler handler, RpcException failure) {
        try {
            handler.onFailure(failure);
        } catch (Throwable thrown) {
            LOG.log(Level.ERROR, "the handler of a reply failed", thrown);
        }
    }

    /** {@return why a request cannot be sent; null when it can, and is charged then} */
    private @Nullable RpcException refusal(
            Engine engine, int to, @Nullable Peer peer, Message request) {
        if (engine.isClosed()) {
            return PendingCalls.closed(self.id(), request.type());
        }
        if (peer == null && to != self.id()) {
            return new RpcConnectionException(
                    "%s is not connected to any worker with id %d: it has left, or was never a member"
                            .formatted(self, to));
        }
        if (peer != null && peer.isLost()) {
            return Engine.again(peer);
        }
        String oversize = engine.oversize(request);
        if (oversize != null) {
            return new RpcException(RpcErrorKind.REFUSED, oversize);
        }
        SendBudget waiting = peer == null ? engine.loopback().waiting() : peer.waiting();
        return waiting.tryCharge(request, false)
                ? null
                : new RpcException(
                        RpcErrorKind.REFUSED,
                        "message of %d bytes to worker %d refused: %d bytes wait for it already; %s=%d"
                                .formatted(
                                        request.byteSize(),
                                        to,
                                        waiting.bytes(),
                                        Keys.SEND_QUEUE_BYTES,
                                        options.sendQueueBytes()));
    }

    @Override
    public Map<String, String> debugInfo() {
        Engine engine = started.get();
        if (engine == null) {
            return Map.of();
        }
        Map<String, String> info = new TreeMap<>();
        long open = 0;
        long waiting = engine.loopback().waiting().bytes();
        for (Peer peer : engine.peers()) {
            open += peer.isOpen() ? 1 : 0;
            waiting += peer.waiting().bytes();
        }
        info.put("netty.port", Integer.toString(engine.port()));
        info.put("netty.tls", options.tls() == null ? "off" : Tls.PROVIDER.name());
        info.put("netty.peers", Long.toString(open));
        info.put("netty.pending_calls", Integer.toString(pending.size()));
        info.put("netty.bytes_waiting", Long.toString(waiting));
        info.put("netty.bytes_arriving", Long.toString(engine.budget().totalBytes()));
        info.put("netty.messages_sent", statistics.messagesSent.toString());
        info.put("netty.bytes_sent", statistics.bytesSent.toString());
        info.put("netty.messages_received", statistics.messagesReceived.toString());
        info.put("netty.bytes_received", statistics.bytesReceived.toString());
        info.put("netty.messages_refused", statistics.messagesRefused.toString());
        info.put("netty.connections_refused", statistics.connectionsRefused.toString());
        return info;
    }

    @Override
    public void close() {
        isClosed = true;
        Engine engine = started.get();
        if (engine != null) {
            engine.close();
        }
    }
}
