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
    private final Map<Integer, Integer> counts = new HashMap<>();

    /**
     * Set a limit.
     *
     * @param entries what is counted, in the plural, for the text of a refusal
     */
    public PeerLimit(String entries, int most) {
        this.entries = entries;
        this.most = most;
    }

    /**
     * Count one more.
     *
     * @throws RpcException of kind REFUSED at the limit
     */
    public synchronized void enter(int peer) {
        int count = counts.getOrDefault(peer, 0);
        if (count >= most) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "worker %d has %d %s here, the most that one worker may have"
                            .formatted(peer, count, entries));
        }
        counts.put(peer, count + 1);
    }

    /** Count one more, also beyond the limit: one that this worker itself has made for a peer. */
    public synchronized void add(int peer) {
        counts.merge(peer, 1, Integer::sum);
    }

    /** Count one less. */
    public synchronized void leave(int peer) {
        counts.computeIfPresent(peer, (_, count) -> count == 1 ? null : count - 1);
    }

    /** Count nothing of a peer any more. */
    public synchronized void forget(int peer) {
        counts.remove(peer);
    }
}
