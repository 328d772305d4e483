package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.auth.Identity;
import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.os.LibC;
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
import java.time.Duration;
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The agent that connects a worker to its group over Aeron: sends requests and replies, and
 * delegates the rest to the {@link AgentRuntime}.
 *
 * <p><b>Threads.</b> Thread-safe. Callbacks run in the receive loop: on the poller, or on a thread
 * in {@link #poll}.
 */
public final class TensorPipeAgent implements RpcAgent {
    private final AgentContext context;
    private final WorkerInfo self;
    private final TensorPipeOptions options;
    private final MessageLimits limits;
    private final AgentMetrics metrics = new AgentMetrics();
    private final PendingCalls pending =
            new PendingCalls(System.nanoTime(), e -> Callbacks.onThrown(metrics, e));
    private final AtomicReference<@Nullable AgentRuntime> started = new AtomicReference<>();
    private volatile boolean isClosed;

    TensorPipeAgent(AgentContext context, TensorPipeOptions options) {
        this.context = context;
        self = context.self();
        this.options = options;
        limits = new MessageLimits(options.maxMessageBytes());
        // Linking takes as long as the start of the driver: do both in parallel.
        Thread.ofPlatform().daemon().name("gradwire-link").start(TensorPipeAgent::prepare);
    }

    /**
     * Load classes and native functions that would read files later, including those of the first
     * log entry: the process may have no free file descriptor then.
     */
    public static void prepare() {
        LibC.isAvailable();
        System.getLogger(TensorPipeAgent.class.getPackageName()).isLoggable(Level.WARNING);
        ZoneId _ = ZoneId.systemDefault();
    }

    @Override
    public void start(AgentListener listener) {
        if (isClosed || started.get() != null) {
            throw new IllegalStateException("an agent is started once");
        }
        Identity identity =
                Identity.take(
                        self.id(),
                        options.sharedSecret(),
                        context.store(),
                        Duration.ofNanos(options.connectTimeoutNanos()));
        var runtime =
                new AgentRuntime(
                        context, options, identity, pending, metrics, listener, this::replyTo);
        started.set(runtime);
        runtime.start();
    }

    private Reply replyTo(Peer peer, long id) {
        return new Reply(id) {
            @Override
            void send(long toRequest, Message reply) {
                TensorPipeAgent.this.reply(peer, toRequest, reply);
            }
        };
    }

    private AgentRuntime runtime() {
        AgentRuntime runtime = started.get();
        if (runtime == null) {
            throw new IllegalStateException("the agent was not started");
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
        if (peer == null) {
            return PeerIdentity.UNKNOWN;
        }
        return new PeerIdentity(peer.location(), authentication(peer));
    }

    private PeerIdentity.Authentication authentication(Peer peer) {
        if (options.credentials() != null && !peer.route().isIpc()) {
            return PeerIdentity.Authentication.CERTIFICATE;
        }
        return options.sharedSecret().isSet()
                ? PeerIdentity.Authentication.TOKEN
                : PeerIdentity.Authentication.NONE;
    }

    @Override
    public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        if (!MessageTypes.isRequest(request.type())) {
            throw new IllegalArgumentException(request + " is not a request");
        }
        AgentRuntime runtime = runtime();
        Peer peer = runtime.find(to);
        RpcException refusal = refusal(runtime, to, peer, request);
        if (refusal != null) {
            metrics.messagesRefused.increment();
            request.release();
            Callbacks.run(metrics, () -> handler.onFailure(refusal));
            return;
        }
        long now = System.nanoTime();
        long id = pending.add(to, timeoutNanos, now, handler);
        if (peer == null) {
            metrics.messagesSent.increment();
            metrics.bytesSent.add(request.byteSize());
            runtime.sendToSelf(id, request);
        } else {
            send(runtime, peer, request, true, id, now, timeoutNanos);
            runtime.connect(peer);
        }
        RpcException ended = runtime.newCallFailure(request.type());
        if (ended != null) {
            pending.fail(id, ended); // the termination may have missed this call
        }
    }

    private @Nullable RpcException refusal(
            AgentRuntime runtime, int to, @Nullable Peer peer, Message message) {
        RpcException ended = runtime.newCallFailure(message.type());
        if (ended != null) {
            return ended;
        }
        if (peer == null && to != self.id()) {
            return new RpcException(
                    RpcErrorKind.REFUSED,
                    "%s is not connected to any worker with id %d".formatted(self, to));
        }
        if (peer != null && peer.isLost()) {
            return peer.closedFailure();
        }
        return limits.refusal(message);
    }

    private void send(
            AgentRuntime runtime,
            Peer peer,
            Message message,
            boolean isRequest,
            long id,
            long nowNanos,
            long timeoutNanos) {
        SendQueue sendQueue = peer.sendQueue();
        metrics.messagesSent.increment();
        metrics.bytesSent.add(message.byteSize());
        if (message.buffers().isEmpty() && sendQueue.trySend(message, id)) {
            return;
        }
        var outbound =
                new OutboundMessage(
                        message,
                        isRequest,
                        id,
                        nowNanos,
                        timeoutNanos,
                        sendQueue.newTransfer(),
                        peer.bulkReadMode().least());
        metrics.singleCopiesOffered.add(outbound.singleCopyCount());
        try {
            sendQueue.send(outbound);
        } catch (RpcException e) {
            metrics.messagesRefused.increment();
            runtime.onSendFailed(peer, outbound, e);
        }
    }

    private void reply(Peer peer, long id, Message reply) {
        AgentRuntime runtime = runtime();
        if (!peer.isOpen() || !runtime.isRunning()) {
            reply.release();
            return;
        }
        RpcException refusal = limits.refusal(reply);
        if (refusal != null) {
            reply.release();
            runtime.refuseReply(peer, id, refusal);
        } else {
            send(runtime, peer, reply, false, id, 0, 0);
        }
    }

    @Override
    public int poll() {
        AgentRuntime runtime = started.get();
        return runtime == null ? 0 : runtime.lend();
    }

    @Override
    public void endPolling() {
        AgentRuntime runtime = started.get();
        if (runtime != null) {
            runtime.endLending();
        }
    }

    @Override
    public void linger() {
        AgentRuntime runtime = started.get();
        if (runtime != null) {
            runtime.linger();
        }
    }

    @Override
    public Map<String, String> debugInfo() {
        AgentRuntime runtime = started.get();
        return runtime == null ? Map.of() : runtime.debugInfo();
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
