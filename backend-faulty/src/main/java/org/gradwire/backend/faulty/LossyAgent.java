package org.gradwire.backend.faulty;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.spi.AgentListener;
import org.gradwire.spi.ForwardingAgent;
import org.gradwire.spi.Message;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.ReplySink;
import org.gradwire.spi.RpcAgent;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An agent that loses some of its requests, and of the replies to them, without a word: such a
 * request ends by its deadline, or with the loss of its peer. Some requests it sends twice.
 */
final class LossyAgent extends ForwardingAgent {
    private static final long TICKS_NANOS = 3_000_000; // that a deadline may be noticed late

    private final LossPlan plan;
    private final int self;
    private final Random random; // guarded by itself
    private final PendingCalls unanswered = new PendingCalls(System.nanoTime());
    private final Set<Integer> gone = ConcurrentHashMap.newKeySet();
    private final AtomicInteger lostRequests = new AtomicInteger();
    private final AtomicInteger lostReplies = new AtomicInteger();
    private final AtomicInteger repeatedRequests = new AtomicInteger();
    private final ScheduledThreadPoolExecutor timer =
            new ScheduledThreadPoolExecutor(
                    1, Thread.ofPlatform().daemon().name("gradwire-lossy").factory());
    private volatile boolean closed;

    /**
     * Wrap an agent.
     *
     * @param self id of its worker: each draws differently
     */
    LossyAgent(RpcAgent agent, LossPlan plan, int self) {
        super(agent);
        this.plan = plan;
        this.self = self;
        this.random = new Random(((long) plan.seed() << Short.SIZE) + self);
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
            super.send(to, request, timeoutNanos, handler); // fails it
        } else if (drawn(plan.requests(), type)) {
            lostRequests.incrementAndGet();
            request.release();
            var _ = await(to, timeoutNanos, handler);
        } else if (drawn(plan.replies(), type)) {
            lostReplies.incrementAndGet();
            sendSome(to, request, timeoutNanos, deaf(await(to, timeoutNanos, handler)));
        } else {
            sendSome(to, request, timeoutNanos, handler);
        }
    }

    private boolean drawn(Map<Integer, Double> shares, int type) {
        Double share = shares.get(type);
        if (share == null) {
            return false;
        }
        synchronized (random) {
            return random.nextDouble() < share;
        }
    }

    /** Let a request wait for its deadline, and return its number. */
    private long await(int to, long timeoutNanos, ReplyHandler handler) {
        long number = unanswered.add(to, timeoutNanos, System.nanoTime(), handler);
        try {
            if (timeoutNanos > 0) {
                var _ =
                        timer.schedule(
                                () -> unanswered.expire(System.nanoTime()),
                                timeoutNanos + TICKS_NANOS,
                                TimeUnit.NANOSECONDS);
            }
        } catch (RejectedExecutionException _) {
            // closed meanwhile, which the next line finds out
        }
        if (closed) {
            failAll();
        }
        return number;
    }

    /** Return a handler that does not hear the reply, but what else ends the request. */
    private ReplyHandler deaf(long number) {
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
        if (!drawn(plan.repeated(), request.type())) {
            super.send(to, request, timeoutNanos, handler);
            return;
        }
        repeatedRequests.incrementAndGet();
        var once = new OnceHandler(handler, timeoutNanos);
        var unreleased = new AtomicInteger(2);
        Runnable release =
                () -> {
                    if (unreleased.decrementAndGet() == 0) {
                        request.release();
                    }
                };
        for (int i = 0; i < 2; i++) {
            var copy = new Message(request.type(), request.payload(), request.buffers(), release);
            super.send(to, copy, timeoutNanos, once);
        }
    }

    @Override
    public Map<String, String> debugInfo() {
        Map<String, String> info = new LinkedHashMap<>(super.debugInfo());
        info.put("faulty.lost_requests", Integer.toString(lostRequests.get()));
        info.put("faulty.lost_replies", Integer.toString(lostReplies.get()));
        info.put("faulty.repeated_requests", Integer.toString(repeatedRequests.get()));
        return info;
    }

    @Override
    public void close() {
        closed = true;
        super.close();
        var _ = timer.shutdownNow();
        failAll();
    }

    private void failAll() {
        unanswered.failAll(() -> PendingCalls.closed(self, 0));
    }
}
