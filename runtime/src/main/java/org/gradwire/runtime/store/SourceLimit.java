package org.gradwire.runtime.store;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits the resources that the workers of a group hold at its store: a total, of which one source
 * may hold half, so that members on other hosts find room. Thread-safe.
 */
final class SourceLimit {
    private static final int SHARES = 2;

    private final int most;
    private final Map<String, Integer> bySource = new HashMap<>(); // guarded by this
    private int total; // likewise

    /** Create a limit of all sources together. */
    SourceLimit(int most) {
        this.most = most;
    }

    /**
     * Count a resource.
     *
     * @param source as {@link PendingHandshakes#source} names it
     * @return false at a limit; nothing is counted then
     */
    synchronized boolean enter(String source) {
        int held = bySource.getOrDefault(source, 0);
        if (total >= most || held >= mostOf(source)) {
            return false;
        }
        bySource.put(source, held + 1);
        total++;
        return true;
    }

    /** {@return the number of resources of a source} */
    synchronized int held(String source) {
        return bySource.getOrDefault(source, 0);
    }

    /**
     * {@return the limit of a source; loopback has the whole limit, since a group may run on the
     * store's host}
     */
    private int mostOf(String source) {
        return source.equals(PendingHandshakes.LOOPBACK) ? most : most / SHARES;
    }

    /** Remove a resource from the count. */
    synchronized void leave(String source) {
        bySource.computeIfPresent(source, (_, held) -> held == 1 ? null : held - 1);
        total--;
    }
}
