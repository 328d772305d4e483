package org.gradwire.runtime.store;

import java.util.HashMap;
import java.util.Map;

/**
 * Limits what the workers of a group hold at its store: so much in all, of which one source may
 * hold half, so that a member at its limit leaves room for those of other hosts. Thread-safe.
 */
final class SourceLimit {
    private static final int SHARES = 2;

    private final int most;
    private final Map<String, Integer> bySource = new HashMap<>(); // guarded by this
    private int total; // likewise

    /** Limit all sources together. */
    SourceLimit(int most) {
        this.most = most;
    }

    /**
     * Count one more.
     *
     * @param source as {@link PendingGreetings#source} names it
     * @return false at a limit; then nothing is counted
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

    /** {@return how much a source holds now} */
    synchronized int held(String source) {
        return bySource.getOrDefault(source, 0);
    }

    /** A whole group may be on the host of the store. */
    private int mostOf(String source) {
        return source.equals(PendingGreetings.LOOPBACK) ? most : most / SHARES;
    }

    /** Count one less. */
    synchronized void leave(String source) {
        bySource.computeIfPresent(source, (_, held) -> held == 1 ? null : held - 1);
        total--;
    }
}
