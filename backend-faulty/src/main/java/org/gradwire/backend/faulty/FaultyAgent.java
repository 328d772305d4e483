package org.gradwire.backend.faulty;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.ForwardingAgent;
import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.WorkerTime;

import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * An agent that fails or delays sends, by the outermost type of the message, and forwards
 * everything else to the wrapped agent.
 *
 * <p>PyTorch's agent sleeps on the caller's thread; this one schedules the send. In both the call's
 * timeout includes the delay.
 */
final class FaultyAgent extends ForwardingAgent {
    private static final int REMEMBERED_PAYLOADS = 100_000;

    private final FaultPlan plan;
    private final Random random; // guarded by itself
    private final DelayedRequests late;

    /**
     * The number of failures of each payload, regardless of the destination: the sends of a
     * broadcast share them.
     */
    private final Map<ByteBuffer, Integer> failures =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<ByteBuffer, Integer> eldest) {
                    return size() > REMEMBERED_PAYLOADS;
                }
            }; // guarded by this

    FaultyAgent(RpcAgent agent, FaultPlan plan, int self, WorkerTime time) {
        super(agent);
        this.plan = plan;
        this.random = plan.random(self, this);
        this.late = new DelayedRequests(super::send, time);
    }

    @Override
    public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        if (plan.toFail().find(request.type()).isPresent() && failsNow(request)) {
            request.release();
            handler.onFailure(
                    new RpcException(
                            RpcErrorKind.INTENTIONAL_FAILURE,
                            "RPCErr:%d:Send attempt failed intentionally for %s"
                                    .formatted(RpcErrorKind.INTENTIONAL_FAILURE.code(), request)));
            return;
        }
        long delayNanos = delayNanos(request.type());
        if (delayNanos > 0) {
            late.send(to, request, timeoutNanos, handler, delayNanos);
        } else if (isReordered(request.type())) {
            late.hold(to, request, timeoutNanos, handler);
        } else {
            super.send(to, request, timeoutNanos, handler);
            late.overtaken(to);
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

    private long delayNanos(int type) {
        Optional<Delay> delay = plan.toDelay().find(type);
        if (delay.isEmpty()) {
            return 0;
        }
        synchronized (random) {
            return delay.get().nanos(random);
        }
    }

    private boolean isReordered(int type) {
        double share = plan.share(Fault.REORDER, type);
        if (share == 0) {
            return false;
        }
        synchronized (random) {
            return random.nextDouble() < share;
        }
    }

    @Override
    public Map<String, String> debugInfo() {
        Map<String, String> info = new LinkedHashMap<>(super.debugInfo());
        info.put("faulty.num_fail_sends", Integer.toString(plan.numFailSends()));
        info.put("faulty.messages_to_fail", plan.toFail().names());
        info.put("faulty.messages_to_delay", plan.toDelay().names());
        info.put("faulty.seed", Integer.toString(plan.seed()));
        info.put("faulty.reordered_requests", Integer.toString(late.held()));
        return info;
    }

    @Override
    public void close() {
        super.close();
        late.close();
    }
}
