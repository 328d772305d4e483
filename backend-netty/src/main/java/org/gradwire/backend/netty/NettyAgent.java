package org.gradwire.backend.netty;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentContext;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.PeerIdentity;
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
 * Sends and receives the messages of a worker over TCP.
 *
 * <p><b>Threads.</b> All methods may be called from any thread. Callbacks run in the loop, on its
 * thread or on a thread in {@link #poll}; a handler runs on the calling thread if {@link #send}
 * itself detects the failure.
 */
final class NettyAgent implements RpcAgent {
    private static final System.Logger LOG = System.getLogger(NettyAgent.class.getPackageName());

    private final AgentContext context;
    private final WorkerInfo self;
    private final NettyOptions options;
    private final AgentMetrics metrics = new AgentMetrics();
    private final PendingCalls pending = new PendingCalls(System.nanoTime());
    private final AtomicReference<@Nullable AgentRuntime> started = new AtomicReference<>();
    private volatile boolean isClosed;

    NettyAgent(AgentContext context, NettyOptions options) {
        this.context = context;
        self = context.self();
        this.options = options;
    }

    @Override
    public void start(AgentListener listener) {
        if (isClosed || started.get() != null) {
            throw new IllegalStateException(
                    "the agent was started or closed before; create another one");
        }
        var runtime = new AgentRuntime(context, options, pending, metrics, listener);
        started.set(runtime);
        runtime.start();
    }

    private AgentRuntime runtime() {
        AgentRuntime runtime = started.get();
        if (runtime == null) {
            throw new IllegalStateException("the agent was not started; call start first");
        }
        return runtime;
    }

    @Override
    public void connect(List<WorkerInfo> members) {
        runtime().connect(members);
    }

    @Override
    public void disconnect(int member) {
        runtime().disconnect(member);
    }

    @Override
    public PeerIdentity identity(int member) {
        AgentRuntime runtime = started.get();
        Peer peer = runtime == null ? null : runtime.find(member);
        return peer == null
                ? PeerIdentity.UNKNOWN
                : new PeerIdentity(peer.address().toString(), options.authentication());
    }

    @Override
    public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        if (!MessageTypes.isRequest(request.type())) {
            throw new IllegalArgumentException(request + " is not a request");
        }
        AgentRuntime runtime = runtime();
        Peer peer = to == self.id() ? null : runtime.find(to);
        RpcException refusal = refusal(runtime, to, peer, request);
        if (refusal != null) {
            metrics.messagesRefused.increment();
            request.release();
            fail(handler, refusal);
            return;
        }
        long id = pending.add(to, timeoutNanos, System.nanoTime(), handler);
        if (peer == null) {
            runtime.loopback().send(to, id, request);
        } else {
            runtime.send(peer, FrameHeader.Kind.REQUEST, id, request);
        }
        failIfLate(runtime, peer, id, request.type());
    }

    /** Fails a call that was added after the agent or the peer failed all of its calls. */
    private void failIfLate(AgentRuntime runtime, @Nullable Peer peer, long id, int type) {
        if (runtime.isClosed()) {
            pending.fail(id, PendingCalls.closed(self.id(), type));
        } else if (peer != null && peer.isLost()) {
            pending.fail(id, AgentRuntime.lossOf(peer));
        }
    }

    private static void fail(ReplyHandler handler, RpcException failure) {
        try {
            handler.onFailure(failure);
        } catch (Throwable thrown) {
            LOG.log(Level.ERROR, "the handler of a reply failed", thrown);
        }
    }

    /** {@return the reason to refuse a request; null when it is accepted, and charged} */
    private @Nullable RpcException refusal(
            AgentRuntime runtime, int to, @Nullable Peer peer, Message request) {
        if (runtime.isClosed()) {
            return PendingCalls.closed(self.id(), request.type());
        }
        if (peer == null && to != self.id()) {
            return new RpcConnectionException(
                    "%s is not connected to any worker with id %d: it has left, or was never a member"
                            .formatted(self, to));
        }
        if (peer != null && peer.isLost()) {
            return AgentRuntime.lossOf(peer);
        }
        String excess = options.limits().excessOf(request);
        if (excess != null) {
            return new RpcException(RpcErrorKind.REFUSED, excess);
        }
        SendBudget waiting = peer == null ? runtime.loopback().waiting() : peer.waiting();
        return waiting.tryCharge(request, false)
                ? null
                : new RpcException(
                        RpcErrorKind.REFUSED,
                        "message of %d bytes to worker %d refused: %d bytes wait for it already; %s=%d"
                                .formatted(
                                        request.byteSize(),
                                        to,
                                        waiting.bytes(),
                                        SettingKeys.SEND_QUEUE_BYTES,
                                        options.limits().sendQueueBytes()));
    }

    @Override
    public int poll() {
        AgentRuntime runtime = started.get();
        return runtime == null ? 0 : runtime.poll();
    }

    @Override
    public Map<String, String> debugInfo() {
        AgentRuntime runtime = started.get();
        if (runtime == null) {
            return Map.of();
        }
        Map<String, String> info = new TreeMap<>();
        long open = 0;
        long waiting = runtime.loopback().waiting().bytes();
        for (Peer peer : runtime.peers()) {
            open += peer.isOpen() ? 1 : 0;
            waiting += peer.waiting().bytes();
        }
        info.put("netty.port", Integer.toString(runtime.port()));
        info.put("netty.tls", options.tls() == null ? "off" : Tls.PROVIDER.name());
        info.put("netty.transport", TransportChoice.CHOSEN.name());
        info.put("netty.peers", Long.toString(open));
        info.put("netty.pending_calls", Integer.toString(pending.size()));
        info.put("netty.bytes_waiting", Long.toString(waiting));
        info.put("netty.bytes_arriving", Long.toString(runtime.arrivingBytes()));
        info.put("netty.messages_sent", metrics.messagesSent.toString());
        info.put("netty.bytes_sent", metrics.bytesSent.toString());
        info.put("netty.messages_received", metrics.messagesReceived.toString());
        info.put("netty.bytes_received", metrics.bytesReceived.toString());
        info.put("netty.messages_refused", metrics.messagesRefused.toString());
        info.put("netty.connections_refused", metrics.connectionsRefused.toString());
        info.put("netty.certificates_renewed", metrics.certificatesRenewed.toString());
        return info;
    }

    @Override
    public void close() {
        isClosed = true;
        AgentRuntime runtime = started.get();
        if (runtime != null) {
            runtime.close();
        }
    }
}
