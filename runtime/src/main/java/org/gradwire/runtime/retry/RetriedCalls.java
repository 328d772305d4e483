package org.gradwire.runtime.retry;

import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.member.Members;
import org.gradwire.runtime.member.PeerListener;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.Worker;
import org.gradwire.spi.WorkerTime;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * The retried calls of a worker. Each callee may drop the replies to all calls below the lowest id
 * that has not ended: the header of each retried call carries this id, and a message after the last
 * call. Thread-safe.
 *
 * <p>C. Lee et al.: <em>Implementing Linearizability at Large Scale and Low Latency</em> (SOSP
 * 2015).
 */
public final class RetriedCalls implements PeerListener {
    private static final int INCARNATION_SHIFT = 32; // ids ascend over all workers with the same id
    private static final long ENDED_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final Duration ENDED_TIMEOUT = Duration.ofSeconds(10);

    private final RetryPolicyResolver policies;
    private final AtomicLong nextId;
    private final Members members;
    private final RpcAgent agent;
    private final WorkerTime time;
    private final Control control;
    private final Map<Integer, Callee> callees = new HashMap<>(); // guarded by this
    private final AtomicLong retries = new AtomicLong();
    private boolean stopped; // guarded by this

    /** Sends a control message until its reply arrives. */
    @FunctionalInterface
    public interface Control {
        CallFuture<Input> send(int to, int type, Consumer<Output> body, RetryPolicy policy);
    }

    /** State of one callee, guarded by the enclosing object. */
    private static final class Callee {
        private final TreeMap<Long, RetriedCall> open = new TreeMap<>();
        private long next; // above the ids of all calls so far
        private long ended; // all calls with lower ids have ended
        private long reported; // the latest value of ended sent to the callee
        private boolean reporting;
    }

    /**
     * Create the retried calls of a worker.
     *
     * @param incarnation number of earlier workers with the worker's id
     */
    public RetriedCalls(
            RetryPolicyResolver policies,
            int incarnation,
            Members members,
            RpcAgent agent,
            WorkerTime time,
            Control control) {
        this.policies = policies;
        this.nextId = new AtomicLong((long) incarnation << INCARNATION_SHIFT);
        this.members = members;
        this.agent = agent;
        this.time = time;
        this.control = control;
    }

    /**
     * Begin a call; {@return null for a call that is sent once}
     *
     * @param own the call's own policy; null for none
     */
    public @Nullable RetriedCall begin(
            WorkerInfo to, RemoteFunction function, @Nullable RetryPolicy own) {
        RetryPolicy policy = policies.policy(function, own);
        return policy == null ? null : enter(to, policy);
    }

    /** {@return an id for a call that is not retried} */
    public long newId() {
        return nextId.getAndIncrement();
    }

    private synchronized RetriedCall enter(WorkerInfo to, RetryPolicy policy) {
        Callee callee = callees.computeIfAbsent(to.id(), _ -> new Callee());
        long id = nextId.getAndIncrement();
        if (callee.open.isEmpty()) {
            callee.ended = id;
        }
        callee.reported = callee.ended;
        callee.next = id + 1;
        var head = new RetryHeader(callee.ended, members.place(to.id()));
        var call = new RetriedCall(this, to, policy, id, head);
        callee.open.put(id, call);
        return call;
    }

    /** Remove a call that has its reply, or has failed. */
    synchronized void ended(RetriedCall call) {
        int to = call.to().id();
        Callee callee = callees.get(to);
        if (callee == null || callee.open.remove(call.id()) == null) {
            return;
        }
        callee.ended = callee.open.isEmpty() ? callee.next : callee.open.firstKey();
        if (callee.ended > callee.reported && !callee.reporting && !stopped) {
            callee.reporting = true;
            var _ = time.schedule(() -> reportEnded(to), ENDED_DELAY_NANOS);
        }
    }

    private void reportEnded(int to) {
        long ended;
        synchronized (this) {
            Callee callee = callees.get(to);
            if (callee == null) {
                return;
            }
            callee.reporting = false;
            if (callee.ended <= callee.reported || stopped) {
                return;
            }
            callee.reported = callee.ended;
            ended = callee.ended;
        }
        control.send(
                to,
                MessageTypes.CALLS_ENDED_REQ,
                out -> out.writeLong(ended),
                Worker.CONTROL_RETRY_POLICY.withAttemptTimeout(ENDED_TIMEOUT));
    }

    /** Fail the calls to the peer that wait for another attempt. */
    @Override
    public void onPeerLost(WorkerInfo peer, RpcException reason) {
        List<RetriedCall> open;
        synchronized (this) {
            Callee callee = callees.remove(peer.id());
            open = callee == null ? List.of() : List.copyOf(callee.open.values());
        }
        open.forEach(call -> call.giveUp(gone(peer, reason)));
    }

    /** Fail all calls that wait for another attempt: the worker has stopped. */
    public void stop() {
        List<RetriedCall> open = new ArrayList<>();
        synchronized (this) {
            stopped = true;
            callees.values().forEach(callee -> open.addAll(callee.open.values()));
        }
        open.forEach(call -> call.giveUp(PendingCalls.closed(members.self().id(), call.type())));
    }

    /** {@return the reason why a call cannot be sent again; null if it can} */
    @Nullable RpcException obstacle(RetriedCall call) {
        WorkerInfo to = call.to();
        RpcException reason = members.lost().get(to.id());
        // In this order: a successor's place is set before the lost worker of its id is removed.
        return reason != null || members.place(to.id()) != call.head().place()
                ? gone(to, reason)
                : null;
    }

    private static RpcConnectionException gone(WorkerInfo peer, @Nullable RpcException reason) {
        return new RpcConnectionException(
                "%s was lost or restarted before it replied to a call; whether it has run the function is unknown"
                        .formatted(peer),
                reason);
    }

    /** {@return the worker's time} */
    long nanoTime() {
        return time.nanoTime();
    }

    RpcAgent agent() {
        return agent;
    }

    /** Schedule a retry. */
    Future<?> later(Runnable task, long nanos) {
        retries.incrementAndGet();
        return time.schedule(task, nanos);
    }

    /** {@return metrics of retried calls} */
    public Map<String, String> debugInfo() {
        return Map.of(
                "num_retried_calls", Integer.toString(open()),
                "num_retries", Long.toString(retries.get()));
    }

    private synchronized int open() {
        return callees.values().stream().mapToInt(callee -> callee.open.size()).sum();
    }
}
