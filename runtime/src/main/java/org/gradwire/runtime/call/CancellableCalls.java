package org.gradwire.runtime.call;

import org.gradwire.spi.IncomingRequest;
import org.gradwire.spi.MessageTypes;
import org.gradwire.spi.RequestHandler;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The inbound calls that their callers may cancel. A cancellation may overtake its call, so the
 * latest unmatched ones of each peer are remembered. Thread-safe.
 */
final class CancellableCalls implements RequestHandler {
    private static final int REMEMBERED = 1_000;

    private final Map<Key, Cancellation> running = new HashMap<>(); // guarded by this, as is early
    private final Map<Integer, Map<Long, Boolean>> early = new HashMap<>(); // by caller

    /** The latest ids of calls; older ones are dropped. */
    private static final class LatestIds extends LinkedHashMap<Long, Boolean> {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Long, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    }

    /** Comparable, so that the map stays fast when a peer chooses ids with equal hash codes. */
    private record Key(int caller, long id) implements Comparable<Key> {
        @Override
        public int compareTo(Key other) {
            int byCaller = Integer.compare(caller, other.caller);
            return byCaller != 0 ? byCaller : Long.compare(id, other.id);
        }
    }

    /** Handle the arrival of a call. */
    void begin(int caller, long id, Cancellation call) {
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

    /** Handle the end of a call. */
    synchronized void end(int caller, long id) {
        running.remove(new Key(caller, id));
    }

    /** Forget a peer that is lost or has left: no further calls of it arrive. */
    synchronized void forget(int caller) {
        early.remove(caller);
    }

    @Override
    public int requestType() {
        return MessageTypes.CANCEL_REQ;
    }

    @Override
    public boolean runsOnPoller() {
        return true;
    }

    @Override
    public void handle(IncomingRequest request) {
        var key = new Key(request.from(), request.body().readLong());
        Cancellation call;
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
