package org.gradwire.backend.faulty;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.ForwardingAgent;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * An agent that fails or delays what it sends, by the outermost type of the message, and otherwise
 * does what the agent behind it does.
 *
 * <p>Where PyTorch's sleeps on the caller's thread, this one sends later; the time of the call runs
 * from the beginning in both.
 */
final class FaultyAgent extends ForwardingAgent {
    private static final int REMEMBERED_PAYLOADS = 100_000;

    private final FaultPlan plan;
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("gradwire-faulty").factory());

    private final Set<LateSend> lateSends = ConcurrentHashMap.newKeySet();

    /**
     * How often each payload has failed. The payload alone counts, not where it goes: a broadcast
     * shares its failures.
     */
    private final Map<ByteBuffer, Integer> failures =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Integer> eldest) {
                    return size() > REMEMBERED_PAYLOADS;
                }
            }; // guarded by this

    FaultyAgent(RpcAgent agent, FaultPlan plan) {
        super(agent);
        this.plan = plan;
    }

    @Override
    public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        if (plan.toFail().contains(request.type()) && failsNow(request)) {
            request.release();
            handler.onFailure(
                    new RpcException(
                            RpcErrorKind.INTENTIONAL_FAILURE,
                            "RPCErr:%d:Send attempt failed intentionally for %s"
                                    .formatted(RpcErrorKind.INTENTIONAL_FAILURE.code(), request)));
            return;
        }
        Duration delay = plan.toDelay().getOrDefault(request.type(), Duration.ZERO);
        if (delay.isZero()) {
            super.send(to, request, timeoutNanos, handler);
        } else {
            sendLater(to, request, timeoutNanos, handler, delay.toNanos());
        }
    }

    private synchronized boolean failsNow(Message request) {
        ByteBuffer payload = ByteBuffer.wrap(request.payload());
        int failed = failures.getOrDefault(payload, 0);
        if (failed < plan.numFailSends()) {
            failures.put(payload, failed + 1);
            return true;
        }
        return false;
    }

    private void sendLater(
            int to, Message request, long timeoutNanos, ReplyHandler handler, long delayNanos) {
        var once = new OnceHandler(handler, timeoutNanos);
        boolean tooLate = timeoutNanos > 0 && timeoutNanos <= delayNanos;
        // Sent even when the caller has given up by then: the callee runs it all the same.
        long left = timeoutNanos == 0 || tooLate ? 0 : timeoutNanos - delayNanos;
        var late = new LateSend(to, request, left, once);
        lateSends.add(late);
        try {
            if (tooLate) {
                var _ = timer.schedule(once::onTimeout, timeoutNanos, TimeUnit.NANOSECONDS);
            }
            var _ = timer.schedule(() -> sendNow(late), delayNanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException _) {
            sendNow(late); // the closed agent ends it
        }
    }

    private void sendNow(LateSend late) {
        if (lateSends.remove(late)) {
            super.send(late.to, late.request, late.timeoutNanos, late.handler);
        }
    }

    /** A request that waits to be sent. */
    private record LateSend(int to, Message request, long timeoutNanos, OnceHandler handler) {}

    @Override
    public Map<String, String> debugInfo() {
        Map<String, String> info = new LinkedHashMap<>(super.debugInfo());
        info.put("faulty.num_fail_sends", Integer.toString(plan.numFailSends()));
        info.put("faulty.messages_to_fail", String.join(",", FaultPlan.names(plan.toFail())));
        info.put(
                "faulty.messages_to_delay",
                String.join(",", FaultPlan.names(plan.toDelay().keySet())));
        return info;
    }

    @Override
    public void close() {
        super.close();
        var _ = timer.shutdownNow();
        // The closed agent ends what was to be sent later.
        lateSends.forEach(this::sendNow);
    }
}
