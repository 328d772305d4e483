package org.gradwire.backend.tensorpipe;

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
import java.time.ZoneId;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A worker's connection to its group over Aeron: the front of an {@link Engine}, and the sending of
 * requests and replies.
 *
 * <p><b>Threads.</b> All methods may be called from any thread. Callbacks run on the poller, or on
 * a thread that has lent itself in {@link #poll}.
 */
final class TensorPipeAgent implements RpcAgent {
    private final AgentContext context;
    private final WorkerInfo self;
    private final Options options;
    private final Statistics statistics = new Statistics();
    private final PendingCalls pending =
            new PendingCalls(System.nanoTime(), e -> Callbacks.onThrown(statistics, e));
    private final AtomicReference<@Nullable Engine> started = new AtomicReference<>();
    private volatile boolean isClosed;

    TensorPipeAgent(AgentContext context, Options options) {
        this.context = context;
        self = context.self();
        this.options = options;
        // Linking takes as long as starting the driver: let it be done meanwhile.
        Thread.ofPlatform().daemon().name("gradwire-link").start(TensorPipeAgent::prepare);
    }

    /** The first entry in a log reads files, for which no file descriptor may be left later on. */
    static void prepare() {
        LibC.isAvailable();
        System.getLogger(TensorPipeAgent.class.getPackageName()).isLoggable(Level.WARNING);
        ZoneId _ = ZoneId.systemDefault();
    }

    @Override
    public void start(AgentListener listener) {
        if (isClosed || started.get() != null) {
            throw new IllegalStateException("an agent is started once");
        }
        Identity identity = Identity.take(self.id(), options, context.store());
        var engine =
                new Engine(
                        context, options, identity, pending, statistics, listener, this::replyTo);
        started.set(engine);
        engine.start();
    }

    private Reply replyTo(Peer peer, long id) {
        return new Reply(id) {
            @Override
            void send(long toRequest, Message reply) {
                TensorPipeAgent.this.reply(peer, toRequest, reply);
            }
        };
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
        Peer peer = engine.find(to);
        RpcException refusal = refusal(engine, to, peer, request);
        if (refusal != null) {
            statistics.messagesRefused.increment();
            request.release();
            Callbacks.run(statistics, () -> handler.onFailure(refusal));
            return;
        }
        long now = System.nanoTime();
        long id = pending.add(to, timeoutNanos, now, handler);
        if (peer == null) {
            sendToSelf(engine, id, request);
        } else {
            send(engine, peer, request, true, id, now, timeoutNanos);
            engine.approach(peer);
        }
        RpcException ended = engine.endedFailure(request.type());
        if (ended != null) {
            pending.fail(id, ended); // what ended the engine may have missed this call
        }
    }

    private @Nullable RpcException refusal(
            Engine engine, int to, @Nullable Peer peer, Message message) {
        RpcException ended = engine.endedFailure(message.type());
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
        return oversize(message);
    }

    private @Nullable RpcException oversize(Message message) {
        long bytes = message.byteSize();
        if (bytes > options.maxMessageBytes()) {
            return new RpcException(
                    RpcErrorKind.REFUSED,
                    "message of %d bytes refused: %s=%d"
                            .formatted(bytes, Keys.MAX_MESSAGE_BYTES, options.maxMessageBytes()));
        }
        if (message.buffers().size() > MessageHead.MAX_BUFFERS) {
            return new RpcException(
                    RpcErrorKind.REFUSED,
                    "message with %d buffers refused; at most %d"
                            .formatted(message.buffers().size(), MessageHead.MAX_BUFFERS));
        }
        return null;
    }

    private void send(
            Engine engine,
            Peer peer,
            Message message,
            boolean isRequest,
            long id,
            long nowNanos,
            long timeoutNanos) {
        Outbox outbox = peer.outbox();
        statistics.messagesSent.increment();
        statistics.bytesSent.add(message.byteSize());
        if (message.buffers().isEmpty() && outbox.trySend(message, id)) {
            return;
        }
        var outgoing =
                new Outgoing(
                        message,
                        isRequest,
                        id,
                        nowNanos,
                        timeoutNanos,
                        outbox.newTransfer(),
                        peer.reading().least());
        statistics.singleCopiesOffered.add(outgoing.singleCopyCount());
        try {
            outbox.send(outgoing);
        } catch (RpcException e) {
            statistics.messagesRefused.increment();
            engine.onFailed(peer, outgoing, e);
        }
    }

    private void reply(Peer peer, long id, Message reply) {
        Engine engine = engine();
        if (!peer.isOpen() || !engine.isRunning()) {
            reply.release();
            return;
        }
        RpcException refusal = oversize(reply);
        if (refusal != null) {
            reply.release();
            engine.refuseReply(peer, id, refusal);
        } else {
            send(engine, peer, reply, false, id, 0, 0);
        }
    }

    private void sendToSelf(Engine engine, long id, Message request) {
        statistics.messagesSent.increment();
        statistics.bytesSent.add(request.byteSize());
        var sink =
                new Reply(id) {
                    @Override
                    void send(long toRequest, Message reply) {
                        replyToSelf(engine, toRequest, reply);
                    }
                };
        loop(engine, id, request, arrived -> engine.delivery().handOwn(self.id(), arrived, sink));
    }

    private void replyToSelf(Engine engine, long id, Message reply) {
        RpcException refusal = oversize(reply);
        if (refusal != null) {
            reply.release();
            pending.fail(id, refusal);
        } else {
            loop(engine, id, reply, arrived -> engine.delivery().handReply(self.id(), id, arrived));
        }
    }

    private void loop(
            Engine engine, long id, Message message, java.util.function.Consumer<Message> deliver) {
        try {
            engine.loopback().send(message, deliver, failure -> pending.fail(id, failure));
        } catch (RpcException refused) {
            pending.fail(id, refused);
        }
    }

    @Override
    public int poll() {
        Engine engine = started.get();
        return engine == null ? 0 : engine.lend();
    }

    @Override
    public void endPolling() {
        Engine engine = started.get();
        if (engine != null) {
            engine.endLending();
        }
    }

    @Override
    public Map<String, String> debugInfo() {
        Engine engine = started.get();
        return engine == null ? Map.of() : DebugInfo.of(engine, pending, statistics);
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
