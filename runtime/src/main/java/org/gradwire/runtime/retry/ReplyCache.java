package org.gradwire.runtime.retry;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.member.Members;
import org.gradwire.runtime.member.PeerListener;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.Message;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.RequestHandler;
import org.gradwire.spi.Settings;
import org.jspecify.annotations.Nullable;

import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.TreeMap;
import java.util.function.LongSupplier;

/**
 * The retried calls of peers and the replies to them. A repeated request gets the reply of the
 * first one, so that the function runs once. Thread-safe.
 *
 * <p>An entry is dropped when its caller reports the end of the call, or is lost. At the limits of
 * the cache, the oldest reply of the caller with the most replies is dropped; a request repeated
 * after that fails, and its function does not run again.
 */
public final class ReplyCache implements RequestHandler, PeerListener {
    private final LongSupplier ownPlace;
    private final Members members;
    private final int maxReplies;
    private final long maxBytes;
    private final Map<Integer, Caller> callers = new HashMap<>(); // all guarded by this
    private int replies;
    private long bytes;

    /** The calls of one peer. */
    private static final class Caller {
        private final TreeMap<Long, CachedReply> calls = new TreeMap<>();
        private final SequencedSet<CachedReply> replied = new LinkedHashSet<>(); // oldest first
        private final SequencedSet<CachedReply> held = new LinkedHashSet<>(); // with a message
        private long bytes;
        private long floor; // ids below that are not in the map are forgotten

        private int replies() {
            return replied.size();
        }

        private long bytes() {
            return bytes;
        }
    }

    /**
     * Create an empty cache.
     *
     * @param ownPlace the place where this worker joined its group
     */
    public ReplyCache(Settings settings, LongSupplier ownPlace, Members members) {
        this.ownPlace = ownPlace;
        this.members = members;
        maxReplies = settings.integer(RuntimeSettings.CACHED_REPLIES, 0, Integer.MAX_VALUE);
        maxBytes = settings.bytes(RuntimeSettings.CACHED_REPLY_BYTES);
    }

    /**
     * Admit a request.
     *
     * @return whether to run its function; otherwise the request gets its reply from the cache, now
     *     or when the call in progress ends
     */
    public boolean admit(RepeatableRequest request, long id, RetryHeader retried) {
        if (retried.ended() > id || id == Long.MAX_VALUE) {
            request.fail(
                    new DecodingException(
                            "call %d says that all below %d have ended"
                                    .formatted(id, retried.ended())));
            return false;
        }
        if (retried.place() != ownPlace.getAsLong()) {
            request.refuse(replaced());
            return false;
        }
        return enter(request, id, retried.ended());
    }

    private boolean enter(RepeatableRequest request, long id, long ended) {
        Message reply;
        synchronized (this) {
            Caller caller = caller(request.from());
            drop(caller, ended);
            CachedReply known = caller.calls.get(id);
            if (known == null && id >= caller.floor && !members.isLost(request.from())) {
                var call = new CachedReply(this, request.from(), id);
                caller.calls.put(id, call);
                request.replyThrough(call);
                return true;
            }
            if (known != null && known.await(request)) {
                return false;
            }
            reply = known == null ? null : known.copy();
        }
        if (reply == null) {
            request.refuse(gone(id));
        } else {
            request.repeat(reply);
        }
        return false;
    }

    private Caller caller(int peer) {
        return callers.computeIfAbsent(peer, _ -> new Caller());
    }

    private static RpcException replaced() {
        return new RpcException(
                RpcErrorKind.CONNECTION,
                "a call was sent to an earlier worker of this id, which has ended; whether it has run the function is unknown");
    }

    private static RpcException gone(long id) {
        return new RpcException(
                RpcErrorKind.REPLY_GONE,
                "call %d arrived again after its reply was dropped; its function may have run, and is not run again. Raise %s or %s if the reply was still needed"
                        .formatted(
                                id,
                                RuntimeSettings.CACHED_REPLIES,
                                RuntimeSettings.CACHED_REPLY_BYTES));
    }

    /**
     * Set the reply to a call.
     *
     * @param copy the reply to repeated requests; null when it is not kept
     * @return the requests that arrived meanwhile
     */
    synchronized List<RepeatableRequest> replied(CachedReply call, @Nullable Message copy) {
        List<RepeatableRequest> waiting = call.end(copy);
        Caller caller = callers.get(call.caller());
        if (caller != null && caller.calls.get(call.id()) == call) {
            caller.replied.add(call);
            replies++;
            if (copy != null) {
                caller.held.add(call);
                count(caller, call.byteSize());
            }
            keepLimits();
        }
        return waiting;
    }

    private void count(Caller caller, long byteSize) {
        caller.bytes += byteSize;
        bytes += byteSize;
    }

    private void keepLimits() {
        while (bytes > maxBytes) {
            Caller caller = withMost(Comparator.comparingLong(Caller::bytes));
            CachedReply oldest = caller.held.removeFirst();
            count(caller, -oldest.byteSize());
            oldest.forget();
        }
        while (replies > maxReplies) {
            Caller caller = withMost(Comparator.comparingInt(Caller::replies));
            CachedReply oldest = caller.replied.getFirst();
            remove(caller, oldest);
            caller.calls.remove(oldest.id());
            caller.floor = Math.max(caller.floor, oldest.id() + 1);
        }
    }

    private Caller withMost(Comparator<Caller> order) {
        return Collections.max(callers.values(), order);
    }

    private void remove(Caller caller, CachedReply call) {
        if (caller.replied.remove(call)) {
            replies--;
        }
        if (caller.held.remove(call)) {
            count(caller, -call.byteSize());
        }
    }

    private void drop(Caller caller, long ended) {
        if (ended > caller.floor) {
            caller.floor = ended;
            Collection<CachedReply> over = caller.calls.headMap(ended).values();
            over.forEach(call -> remove(caller, call));
            over.clear();
        }
    }

    /** Drop the calls of the peer, of which none runs again. */
    @Override
    public synchronized void onPeerLost(WorkerInfo peer, RpcException reason) {
        Caller caller = callers.get(peer.id());
        if (caller != null) {
            drop(caller, Long.MAX_VALUE);
        }
    }

    @Override
    public synchronized void onPeerJoined(WorkerInfo peer) {
        callers.remove(peer.id());
    }

    boolean fits(Message reply) {
        return maxReplies > 0 && reply.byteSize() <= maxBytes;
    }

    @Override
    public int requestType() {
        return MessageTypes.CALLS_ENDED_REQ;
    }

    @Override
    public boolean runsOnPoller() {
        return true;
    }

    @Override
    public void handle(IncomingRequest request) {
        long ended = request.body().readLong();
        synchronized (this) {
            drop(caller(request.from()), ended);
        }
        request.reply(MessageTypes.CALLS_ENDED_ACK, _ -> {});
    }

    /** {@return metrics of the cache} */
    public synchronized Map<String, String> debugInfo() {
        return Map.of(
                "num_cached_replies", Integer.toString(replies),
                "num_cached_reply_bytes", Long.toString(bytes));
    }
}
