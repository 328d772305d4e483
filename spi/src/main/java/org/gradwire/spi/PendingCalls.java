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
 * The requests an agent has sent and not seen answered: gives each an id, and ends each exactly
 * once, by its reply, its deadline, or the loss of its peer.
 *
 * <p>A helper for writers of backends; nobody must use it. Thread-safe. The owner drives the
 * deadlines with {@link #expire}.
 */
public final class PendingCalls {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.spi");
    private static final long LONGEST_NANOS = Long.MAX_VALUE / 2; // so that a deadline never wraps

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

    /** Create an empty table whose clock starts now. */
    public PendingCalls(long nowNanos) {
        this(
                nowNanos,
                e -> LOGGER.log(System.Logger.Level.ERROR, "the handler of a reply failed", e));
    }

    /**
     * As {@link #PendingCalls(long)}.
     *
     * @param onThrown learns what a handler throws, which it promised not to do; other calls go on
     */
    public PendingCalls(long nowNanos, Consumer<Throwable> onThrown) {
        deadlines = new DeadlineWheel(nowNanos);
        this.onThrown = onThrown;
    }

    /**
     * Enter a request before it is sent.
     *
     * @param timeoutNanos 0 means never
     * @return the id to send with it, which its reply must bear
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
     * @param peer from which the reply came; one from another worker than was asked is dropped
     * @return false when no such request is under way: it is too late, or the peer is wrong
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
     * @return false when no such request is under way
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
     * @param peer that reports it; when another was asked, nothing happens
     * @return false when no such request is under way
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

    /** {@return the number of requests under way} */
    public int size() {
        return entries.size();
    }

    /**
     * End the requests whose time is up. To be called every few milliseconds, by one thread at a
     * time.
     *
     * @return how many there were
     */
    public int expire(long nowNanos) {
        return deadlines.advance(nowNanos, this::expired);
    }

    private boolean expired(DeadlineWheel.Timer timer) {
        return fail(timer.id(), new RpcTimeoutException(timeoutText(timer.timeoutNanos())));
    }

    /** {@return the text of a call's timeout, which programs match} */
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
     * {@return the failure of a call to a peer that is gone, which programs match}
     *
     * @param reason what was observed
     */
    public static RpcConnectionException lost(WorkerInfo peer, String reason) {
        return new RpcConnectionException(
                "Connection closed by peer %s: %s".formatted(peer, reason));
    }

    /** {@return the failure of a call on an agent that was closed, which programs match} */
    public static RpcException closed(int self, int messageType) {
        return new RpcException(
                RpcErrorKind.SHUTDOWN,
                "Node %d tried to send() a message of type %s but RPC is no longer running on this node."
                        .formatted(self, MessageTypes.name(messageType)));
    }
}
