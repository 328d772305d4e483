package org.gradwire.runtime.flow;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;

import java.util.HashMap;
import java.util.Map;

/**
 * How many entries of one kind each peer may cause here. A peer beyond its limit is refused, and
 * takes nothing from the others. Safe for use by many threads.
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
     * @param entries what is counted, in the plural, for the text of a refusal
     */
    public PeerLimit(String entries, int most) {
        this(entries, most, Long.MAX_VALUE);
    }

    /** As {@link #PeerLimit(String, int)}, with a limit of all peers together. */
    public PeerLimit(String entries, int most, long mostOfAll) {
        this.entries = entries;
        this.most = most;
        this.mostOfAll = mostOfAll;
    }

    /**
     * Count one more.
     *
     * @throws RpcException of kind REFUSED at a limit
     */
    public synchronized void enter(int peer) {
        requireRoom(peer);
        add(peer);
    }

    /**
     * Check that one more may be counted.
     *
     * @throws RpcException of kind REFUSED when not
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

    /** Count one more, also beyond the limits: one that this worker itself has made for a peer. */
    public synchronized void add(int peer) {
        counts.merge(peer, 1, Integer::sum);
        total++;
    }

    /** Count one less. */
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

    /** Count nothing of a peer any more. */
    public synchronized void forget(int peer) {
        Integer count = counts.remove(peer);
        total -= count == null ? 0 : count;
    }
}
