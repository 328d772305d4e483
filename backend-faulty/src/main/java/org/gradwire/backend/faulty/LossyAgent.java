package org.gradwire.backend.faulty;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.ForwardingAgent;
import org.gradwire.spi.Message;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.ReplySink;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.WorkerTime;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An agent that silently drops some requests and replies, and all between two workers during a
 * network partition; such a request ends at its deadline, or with the loss of its peer. It sends
 * some requests twice.
 */
final class LossyAgent extends ForwardingAgent {
    private static final long SECOND_OUTCOME_NANOS = TimeUnit.SECONDS.toNanos(2);

    private final FaultPlan plan;
    private final int self;
    private final Random random; // guarded by itself
    private final WorkerTime time;
    private final long startNanos;
    private final PendingCalls unanswered;
    private final Set<Integer> gone = ConcurrentHashMap.newKeySet();
    private final AtomicInteger lostRequests = new AtomicInteger();
    private final AtomicInteger lostReplies = new AtomicInteger();
    private final AtomicInteger repeatedRequests = new AtomicInteger();
    private final AtomicInteger cutOff = new AtomicInteger();
    private volatile boolean closed;

    /**
     * Wrap an agent.
     *
     * @param self id of its worker; selects the random sequence
     */
    LossyAgent(RpcAgent agent, FaultPlan plan, int self, WorkerTime time) {
        super(agent);
        this.plan = plan;
        this.self = self;
        this.time = time;
        this.startNanos = time.nanoTime();
        this.unanswered = new PendingCalls(startNanos);
        this.random = plan.random(self, this);
    }

    @Override
    public void start(AgentListener listener) {
        super.start(
                new AgentListener() {
                    @Override
                    public void onRequest(int from, Message request, ReplySink replies) {
                        listener.onRequest(from, request, replies);
                    }

                    @Override
                    public void onPeerLost(int peer, RpcException reason) {
                        gone.add(peer);
                        unanswered.failPeer(peer, () -> reason);
                        listener.onPeerLost(peer, reason);
                    }
                });
    }

    @Override
    public void connect(List<WorkerInfo> members) {
        super.connect(members);
        members.forEach(member -> gone.remove(member.id()));
    }

    @Override
    public void send(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        int type = request.type();
        if (closed || gone.contains(to)) {
            super.send(to, request, timeoutNanos, handler); // the closed agent fails it
        } else if (drawn(Fault.LOSE_REQUEST, type)) {
            lostRequests.incrementAndGet();
            lose(to, request, timeoutNanos, handler);
        } else if (isCut(self, to)) {
            cutOff.incrementAndGet();
            lose(to, request, timeoutNanos, handler);
        } else if (drawn(Fault.LOSE_REPLY, type)) {
            lostReplies.incrementAndGet();
            sendSome(to, request, timeoutNanos, dropReply(await(to, timeoutNanos, handler)));
        } else if (!plan.networkPartitions().isEmpty()) {
            long number = await(to, timeoutNanos, handler);
            sendSome(to, request, timeoutNanos, dropDuringPartition(to, number));
        } else {
            sendSome(to, request, timeoutNanos, handler);
        }
    }

    private void lose(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        request.release();
        var _ = await(to, timeoutNanos, handler);
    }

    private boolean isCut(int sender, int receiver) {
        long nanos = time.nanoTime() - startNanos;
        return plan.networkPartitions().stream()
                .anyMatch(networkPartition -> networkPartition.stops(sender, receiver, nanos));
    }

    private boolean drawn(Fault fault, int type) {
        double share = plan.share(fault, type);
        if (share == 0) {
            return false;
        }
        synchronized (random) {
            return random.nextDouble() < share;
        }
    }

    /** Register a request that ends at its deadline; {@return its number} */
    private long await(int to, long timeoutNanos, ReplyHandler handler) {
        long number = unanswered.add(to, 0, 0, handler);
        if (timeoutNanos > 0) {
            var _ = time.schedule(() -> timeOut(number, timeoutNanos), timeoutNanos);
        }
        if (closed) {
            failAll();
        }
        return number;
    }

    private void timeOut(long number, long timeoutNanos) {
        unanswered.fail(number, new RpcTimeoutException(PendingCalls.timeoutText(timeoutNanos)));
    }

    /** {@return a handler that drops a reply during a network partition} */
    private ReplyHandler dropDuringPartition(int to, long number) {
        return new ReplyHandler() {
            @Override
            public void onReply(Message reply) {
                if (isCut(to, self)) {
                    cutOff.incrementAndGet();
                } else {
                    unanswered.complete(number, to, reply);
                }
            }

            @Override
            public void onFailure(RuntimeException failure) {
                unanswered.fail(number, failure);
            }
        };
    }

    /** {@return a handler that drops the reply, but forwards any other outcome} */
    private ReplyHandler dropReply(long number) {
        return new ReplyHandler() {
            @Override
            public void onReply(Message reply) {}

            @Override
            public void onFailure(RuntimeException failure) {
                unanswered.fail(number, failure);
            }
        };
    }

    /** Send a request, once or twice. */
    private void sendSome(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        if (!drawn(Fault.REPEAT, request.type())) {
            super.send(to, request, timeoutNanos, handler);
            return;
        }
        repeatedRequests.incrementAndGet();
        var either = new DuplicateRequestHandler(handler, task -> limitWait(task, timeoutNanos));
        var unreleased = new AtomicInteger(2);
        Runnable release =
                () -> {
                    if (unreleased.decrementAndGet() == 0) {
                        request.release();
                    }
                };
        for (int i = 0; i < 2; i++) {
            var copy = new Message(request.type(), request.payload(), request.buffers(), release);
            super.send(to, copy, timeoutNanos, either);
        }
    }

    /** Limit the wait for the other copy, unless the request has a deadline, at which it ends. */
    private void limitWait(Runnable task, long timeoutNanos) {
        if (timeoutNanos == 0) {
            var _ = time.schedule(task, SECOND_OUTCOME_NANOS);
        }
    }

    @Override
    public Map<String, String> debugInfo() {
        Map<String, String> info = new LinkedHashMap<>(super.debugInfo());
        info.put("faulty.lost_requests", Integer.toString(lostRequests.get()));
        info.put("faulty.lost_replies", Integer.toString(lostReplies.get()));
        info.put("faulty.repeated_requests", Integer.toString(repeatedRequests.get()));
        info.put("faulty.cut_off", Integer.toString(cutOff.get()));
        return info;
    }

    @Override
    public void close() {
        closed = true;
        super.close();
        failAll();
    }

    private void failAll() {
        unanswered.failAll(() -> PendingCalls.closed(self, 0));
    }
}
