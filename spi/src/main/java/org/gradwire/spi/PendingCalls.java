package org.gradwire.spi;

import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.WorkerInfo;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Tracks the pending requests of an agent: assigns an id to each, and ends each exactly once, with
 * its reply, at its deadline, or at the loss of its peer.
 *
 * <p>An optional helper for backends. Thread-safe. The owner drives the deadlines with {@link
 * #expire}.
 */
public final class PendingCalls {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.spi");
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 2; // a deadline never overflows

    private static final class Entry extends DeadlineWheel.Timer {
        private final int peer;
        private final ReplyHandler handler;

        Entry(long id, long timeoutNanos, int peer, ReplyHandler handler) {
            super(id, timeoutNanos);
            this.peer = peer;
            this.handler = handler;
        }
    }

    private final ConcurrentHashMap<Long, Entry> entries = new ConcurrentHashMap<>();
    private final AtomicLong nextId = new AtomicLong();
    private final DeadlineWheel deadlines;
    private final Consumer<Throwable> onThrown;

    /** Create an empty table. */
    public PendingCalls(long nowNanos) {
        this(
                nowNanos,
                e -> LOGGER.log(System.Logger.Level.ERROR, "the handler of a reply failed", e));
    }

    /**
     * Create an empty table with a handler of exceptions.
     *
     * @param onThrown receives exceptions of reply handlers, which must not throw; other calls
     *     continue
     */
    public PendingCalls(long nowNanos, Consumer<Throwable> onThrown) {
        deadlines = new DeadlineWheel(nowNanos);
        this.onThrown = onThrown;
    }

    /**
     * Add a request before it is sent.
     *
     * @param timeoutNanos 0 means never
     * @return the id to send with the request, which its reply must carry
     */
    public long add(int peer, long timeoutNanos, long nowNanos, ReplyHandler handler) {
        long id = nextId.getAndIncrement();
        var entry = new Entry(id, timeoutNanos, peer, handler);
        entries.put(id, entry);
        if (timeoutNanos > 0) {
            deadlines.schedule(entry, nowNanos + Math.min(timeoutNanos, LONGEST_NANOS));
        }
        return id;
    }

    /**
     * End a request with its reply.
     *
     * @param peer that sent the reply; the reply of a worker other than the callee is dropped
     * @return false if no such request is pending: the reply is late, or from a wrong peer
     */
    public boolean complete(long id, int peer, Message reply) {
        Long key = id;
        Entry entry = entries.get(key);
        if (entry == null || entry.peer != peer || !entries.remove(key, entry)) {
            return false;
        }
        deadlines.cancel(entry);
        try {
            entry.handler.onReply(reply);
        } catch (Throwable e) {
            onThrown.accept(e);
        }
        return true;
    }

    /**
     * End a request with a failure.
     *
     * @return false if no such request is pending
     */
    public boolean fail(long id, RuntimeException failure) {
        Entry entry = entries.remove(id);
        if (entry == null) {
            return false;
        }
        deadlines.cancel(entry);
        try {
            entry.handler.onFailure(failure);
        } catch (Throwable e) {
            onThrown.accept(e);
        }
        return true;
    }

    /**
     * End a request with a failure that a peer reports.
     *
     * @param peer that reports it; a report of a worker other than the callee is ignored
     * @return false if no such request is pending
     */
    public boolean fail(long id, int peer, RuntimeException failure) {
        Entry entry = entries.get(id);
        return entry != null && entry.peer == peer && fail(id, failure);
    }

    /** End all requests to a peer with failures. */
    public void failPeer(int peer, Supplier<? extends RuntimeException> failure) {
        failWhere(entry -> entry.peer == peer, failure);
    }

    /** End all requests with failures. */
    public void failAll(Supplier<? extends RuntimeException> failure) {
        failWhere(_ -> true, failure);
    }

    /** {@return the number of pending requests} */
    public int size() {
        return entries.size();
    }

    /**
     * End the requests whose deadline has passed. To be called every few milliseconds, by one
     * thread at a time.
     *
     * @return the number of requests ended
     */
    public int expire(long nowNanos) {
        return deadlines.advance(nowNanos, this::expired);
    }

    private boolean expired(DeadlineWheel.Timer timer) {
        return fail(timer.id(), new RpcTimeoutException(timeoutText(timer.timeoutNanos())));
    }

    /** {@return the text of a call's timeout, which programs rely on} */
    public static String timeoutText(long timeoutNanos) {
        return "RPCErr:%d:RPC ran for more than set timeout (%d ms) and will now be marked with an error"
                .formatted(RpcErrorKind.TIMEOUT.code(), timeoutNanos / 1_000_000);
    }

    private void failWhere(Predicate<Entry> which, Supplier<? extends RuntimeException> failure) {
        List<Long> ids = new ArrayList<>();
        entries.forEach((id, entry) -> {
            if (which.test(entry)) {
                ids.add(id);
            }
        });
        ids.forEach(id -> fail(id, failure.get()));
    }

    /**
     * {@return the failure of a call to a lost peer; programs rely on its text}
     *
     * @param reason of the loss
     */
    public static RpcConnectionException lost(WorkerInfo peer, String reason) {
        return new RpcConnectionException(
                "Connection closed by peer %s: %s".formatted(peer, reason));
    }

    /** {@return the failure of a call on a closed agent; programs rely on its text} */
    public static RpcException closed(int self, int messageType) {
        return new RpcException(
                RpcErrorKind.SHUTDOWN,
                "Node %d tried to send() a message of type %s but RPC is no longer running on this node."
                        .formatted(self, MessageTypes.name(messageType)));
    }
}
