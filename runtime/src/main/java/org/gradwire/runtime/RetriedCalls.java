package org.gradwire.runtime;

import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.CallBody.Retried;
import org.gradwire.runtime.function.RemoteFunction;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.Output;
import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.RpcAgent;
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
 * The calls of a worker that are sent again until they are answered, and what each callee need not
 * keep for them any more: the answers to all calls below the lowest one that has not ended. Each
 * such call says so; after the last one, a message does.
 *
 * <p>C. Lee et al.: <em>Implementing Linearizability at Large Scale and Low Latency</em> (SOSP
 * 2015).
 */
final class RetriedCalls {
    private static final long TELLING_DELAY_NANOS = TimeUnit.MILLISECONDS.toNanos(200);
    private static final Duration TELLING_TIME = Duration.ofSeconds(10);

    private final RetryRules rules;
    private final AtomicLong nextId;
    private final Members members;
    private final RpcAgent agent;
    private final WorkerTime time;
    private final Control control;
    private final Map<Integer, Callee> callees = new HashMap<>(); // guarded by this
    private final AtomicLong retries = new AtomicLong();
    private boolean stopped; // guarded by this

    /** Sends a control message until it is answered. */
    @FunctionalInterface
    interface Control {
        CallFuture<Input> send(int to, int type, Consumer<Output> body, RetryPolicy policy);
    }

    /** What this worker knows of one callee. Guarded by the calls. */
    private static final class Callee {
        private final TreeMap<Long, RetriedCall> open = new TreeMap<>();
        private long next; // no call has this id or a higher one
        private long ended; // all calls below have
        private long told; // the callee that this was so
        private boolean telling;
    }

    /**
     * Prepare to make such calls.
     *
     * @param nextId where the ids of calls come from
     */
    RetriedCalls(
            RetryRules rules,
            AtomicLong nextId,
            Members members,
            RpcAgent agent,
            WorkerTime time,
            Control control) {
        this.rules = rules;
        this.nextId = nextId;
        this.members = members;
        this.agent = agent;
        this.time = time;
        this.control = control;
    }

    /**
     * Begin a call, unless it is one that is sent once: then return null.
     *
     * @param own what the call itself says of retries; null for nothing
     */
    @Nullable RetriedCall begin(WorkerInfo to, RemoteFunction function, @Nullable RetryPolicy own) {
        RetryPolicy policy = rules.policy(function, own);
        return policy == null ? null : enter(to, policy);
    }

    private synchronized RetriedCall enter(WorkerInfo to, RetryPolicy policy) {
        Callee callee = callees.computeIfAbsent(to.id(), _ -> new Callee());
        long id = nextId.getAndIncrement();
        if (callee.open.isEmpty()) {
            callee.ended = id;
        }
        callee.told = callee.ended;
        callee.next = id + 1;
        var head = new Retried(callee.ended, members.place(to.id()));
        var call = new RetriedCall(this, to, policy, id, head);
        callee.open.put(id, call);
        return call;
    }

    /** A call has its answer, or has failed. */
    synchronized void ended(RetriedCall call) {
        int to = call.to().id();
        Callee callee = callees.get(to);
        if (callee == null || callee.open.remove(call.id()) == null) {
            return;
        }
        callee.ended = callee.open.isEmpty() ? callee.next : callee.open.firstKey();
        if (callee.ended > callee.told && !callee.telling && !stopped) {
            callee.telling = true;
            var _ = time.schedule(() -> tell(to), TELLING_DELAY_NANOS);
        }
    }

    private void tell(int to) {
        long ended;
        synchronized (this) {
            Callee callee = callees.get(to);
            if (callee == null) {
                return;
            }
            callee.telling = false;
            if (callee.ended <= callee.told || stopped) {
                return;
            }
            callee.told = callee.ended;
            ended = callee.ended;
        }
        control.send(
                to,
                MessageTypes.CALLS_ENDED_REQ,
                out -> out.writeLong(ended),
                RetryPolicy.DEFAULT.withAttemptTimeout(TELLING_TIME));
    }

    /** A worker is lost, or has left: no call to it waits for another attempt. */
    void onPeerLost(WorkerInfo peer, RpcException reason) {
        List<RetriedCall> open;
        synchronized (this) {
            Callee callee = callees.remove(peer.id());
            open = callee == null ? List.of() : List.copyOf(callee.open.values());
        }
        open.forEach(call -> call.giveUp(gone(peer, reason)));
    }

    /** The worker has stopped: no call waits for another attempt. */
    void stop() {
        List<RetriedCall> open = new ArrayList<>();
        synchronized (this) {
            stopped = true;
            callees.values().forEach(callee -> open.addAll(callee.open.values()));
        }
        open.forEach(call -> call.giveUp(PendingCalls.closed(members.self().id(), call.type())));
    }

    /** {@return why a call cannot be sent again; null when it can} */
    @Nullable RpcException obstacle(RetriedCall call) {
        WorkerInfo to = call.to();
        RpcException reason = members.lost().get(to.id());
        // Asked in this order: who joins with the id of a lost one has its place first.
        return reason != null || members.place(to.id()) != call.head().place()
                ? gone(to, reason)
                : null;
    }

    private static RpcConnectionException gone(WorkerInfo peer, @Nullable RpcException reason) {
        return new RpcConnectionException(
                "%s is gone, or was restarted, before it answered a call; whether it has run the function is not known"
                        .formatted(peer),
                reason);
    }

    /** {@return the moment, in the worker's time} */
    long nanoTime() {
        return time.nanoTime();
    }

    RpcAgent agent() {
        return agent;
    }

    /** Do something later, unless the worker stops before. */
    Future<?> later(Runnable task, long nanos) {
        retries.incrementAndGet();
        return time.schedule(task, nanos);
    }

    /** {@return how many calls are under way, and how many retries there have been} */
    Map<String, String> debugInfo() {
        return Map.of(
                "num_retried_calls", Integer.toString(open()),
                "num_retries", Long.toString(retries.get()));
    }

    private synchronized int open() {
        return callees.values().stream().mapToInt(callee -> callee.open.size()).sum();
    }
}
