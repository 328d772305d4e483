package org.gradwire.backend.faulty;

import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.Message;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** Records sent requests; fails them after it is closed. */
final class FakeAgent implements RpcAgent {
    final BlockingQueue<Sent> sent = new LinkedBlockingQueue<>();
    final AtomicInteger closed = new AtomicInteger();
    final AtomicInteger polled = new AtomicInteger();

    record Sent(int to, Message request, long timeoutNanos, ReplyHandler handler, long atNanos) {}

    private @Nullable AgentListener listener;

    AgentListener listener() {
        return Objects.requireNonNull(listener, "not started");
    }

    @Override
    public void start(AgentListener newListener) {
        listener = newListener;
    }

    @Override
    public void connect(List<WorkerInfo> members) {}

    @Override
    public void disconnect(int member) {}

    @Override
    public synchronized void send(
            int to, Message request, long timeoutNanos, ReplyHandler handler) {
        if (closed.get() > 0) {
            handler.onFailure(PendingCalls.closed(0, request.type()));
        } else {
            sent.add(new Sent(to, request, timeoutNanos, handler, System.nanoTime()));
        }
        request.release();
    }

    @Override
    public int poll() {
        return polled.incrementAndGet();
    }

    @Override
    public Map<String, String> debugInfo() {
        return Map.of("fake.figure", "1");
    }

    @Override
    public synchronized void close() {
        closed.incrementAndGet();
    }
}
