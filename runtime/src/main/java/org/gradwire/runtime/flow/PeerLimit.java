package org.gradwire.runtime.flow;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits the entries of one kind that each peer may create here. A peer at its limit is refused,
 * without effect on the others. Thread-safe.
 */
public final class PeerLimit {
    private final String entries;
    private final int most;
    private final long mostOfAll;
    private final Map<Integer, Integer> counts = new HashMap<>();
    private long total;

    /**
     * Set a limit.
     *
     * @param entries the counted entries, in the plural, for error texts
     */
    public PeerLimit(String entries, int most) {
        this(entries, most, Long.MAX_VALUE);
    }

    /** Set a limit for each peer and a limit for all peers together. */
    public PeerLimit(String entries, int most, long mostOfAll) {
        this.entries = entries;
        this.most = most;
        this.mostOfAll = mostOfAll;
    }

    /**
     * Count an entry.
     *
     * @throws RpcException of kind REFUSED at a limit
     */
    public synchronized void enter(int peer) {
        requireRoom(peer);
        add(peer);
    }

    /**
     * Check that an entry may be counted.
     *
     * @throws RpcException of kind REFUSED at a limit
     */
    public synchronized void requireRoom(int peer) {
        int count = counts.getOrDefault(peer, 0);
        if (count >= most) {
            throw refused(
                    "worker %d has %d %s here, the most that one worker may have"
                            .formatted(peer, count, entries));
        }
        if (total >= mostOfAll) {
            throw refused(
                    "workers have %d %s here, the most that all together may have"
                            .formatted(total, entries));
        }
    }

    private static RpcException refused(String text) {
        return new RpcException(RpcErrorKind.REFUSED, text);
    }

    /** Count an entry even above the limits: this worker created it for the peer. */
    public synchronized void add(int peer) {
        counts.merge(peer, 1, Integer::sum);
        total++;
    }

    /** Remove an entry from the count. */
    public synchronized void leave(int peer) {
        Integer count = counts.get(peer);
        if (count != null) {
            total--;
            if (count == 1) {
                counts.remove(peer);
            } else {
                counts.put(peer, count - 1);
            }
        }
    }

    /** Remove the entries of a peer. */
    public synchronized void forget(int peer) {
        Integer count = counts.remove(peer);
        total -= count == null ? 0 : count;
    }
}
