package com.example.socket;

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

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;

/**
 * A worker's connection to its group over TCP. It forwards to a {@link Switchboard}.
 *
 * <p>Thread-safe.
 */
final class SocketAgent implements RpcAgent {
    private final AgentContext context;
    private final Options options;
    private final PendingCalls pending = new PendingCalls(System.nanoTime());
    private final AtomicBoolean closed = new AtomicBoolean();
    private final AtomicReference<@Nullable Switchboard> started = new AtomicReference<>();

    SocketAgent(AgentContext context, Options options) {
        this.context = context;
        this.options = options;
    }

    @Override
    public void start(AgentListener listener) {
        if (closed.get() || started.get() != null) {
            throw new IllegalStateException("the agent was already started");
        }
        Identity identity = Identity.take(context.self().id(), context.store());
        var switchboard =
                new Switchboard(
                        new Session(
                                context,
                                options,
                                identity,
                                listener,
                                pending,
                                new Counters(),
                                closed::get));
        started.set(switchboard);
        switchboard.start();
        if (closed.get()) {
            switchboard.close();
        }
    }

    private Switchboard switchboard() {
        Switchboard switchboard = started.get();
        if (switchboard == null) {
            throw new IllegalStateException("the agent was not started");
        }
        return switchboard;
    }

    @Override
    public void connect(List<WorkerInfo> members) {
        switchboard().links().connect(members);
    }

    @Override
    public void disconnect(int member) {
        switchboard().links().disconnect(member);
    }

    @Override
    public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        if (!MessageTypes.isRequest(request.type())) {
            throw new IllegalArgumentException(
                    request + " is not a request; only requests can be sent");
        }
        Switchboard switchboard = switchboard();
        long id = pending.add(to, timeoutNanos, System.nanoTime(), handler);
        try {
            switchboard.send(to, id, request, timeoutNanos);
        } catch (RpcException refused) {
            pending.fail(id, closed.get() ? closed(request.type()) : refused);
        }
        if (closed.get()) {
            pending.fail(id, closed(request.type())); // close may have missed this request
        }
    }

    private RpcException closed(int type) {
        return PendingCalls.closed(context.self().id(), type);
    }

    @Override
    public Map<String, String> debugInfo() {
        Switchboard switchboard = started.get();
        return switchboard == null ? Map.of() : switchboard.debugInfo();
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        pending.failAll(() -> closed(0));
        Switchboard switchboard = started.get();
        if (switchboard != null) {
            switchboard.close();
        }
    }
}
