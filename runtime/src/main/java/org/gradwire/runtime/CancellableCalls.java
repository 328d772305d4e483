package org.gradwire.runtime;

import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.RequestHandler;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The calls under way here that their callers may cancel. A cancellation may overtake its call, so
 * the last ones of each peer that fitted none are remembered.
 */
final class CancellableCalls implements RequestHandler {
    private static final int REMEMBERED = 1_000;

    private final Map<Key, ServedCall> running = new HashMap<>(); // guarded by this, as is early
    private final Map<Integer, Map<Long, Boolean>> early = new HashMap<>(); // by caller

    /** Ids of calls, of which the oldest are forgotten. */
    private static final class LatestIds extends LinkedHashMap<Long, Boolean> {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    }

    /** Ordered, so that the table stays fast when a peer chooses ids with equal hash codes. */
    private record Key(int caller, long id) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byCaller = Integer.compare(caller, other.caller);
            return byCaller != 0 ? byCaller : Long.compare(id, other.id);
        }
    }

    /** A call has come in. */
    void begin(int caller, long id, ServedCall call) {
        if (id == CallBody.NO_ID) {
            return;
        }
        var key = new Key(caller, id);
        boolean isCancelled;
        synchronized (this) {
            Map<Long, Boolean> cancelled = early.get(caller);
            isCancelled = cancelled != null && cancelled.remove(id) != null;
            if (!isCancelled) {
                running.put(key, call);
            }
        }
        if (isCancelled) {
            call.cancel();
        }
    }

    /** A call has been answered. */
    void end(int caller, long id) {
        if (id != CallBody.NO_ID) {
            synchronized (this) {
                running.remove(new Key(caller, id));
            }
        }
    }

    /** A worker is lost, or has left: no call of it comes any more. */
    synchronized void forget(int caller) {
        early.remove(caller);
    }

    @Override
    public int requestType() {
        return MessageTypes.CANCEL_REQ;
    }

    /** What it stops runs on other threads. */
    @Override
    public boolean light() {
        return true;
    }

    @Override
    public void handle(IncomingRequest request) {
        var key = new Key(request.from(), request.body().readLong());
        ServedCall call;
        synchronized (this) {
            call = running.remove(key);
            if (call == null) {
                early.computeIfAbsent(key.caller, _ -> new LatestIds()).put(key.id, Boolean.TRUE);
            }
        }
        if (call != null) {
            call.cancel();
        }
        request.reply(MessageTypes.CANCEL_ACK, _ -> {});
    }
}
