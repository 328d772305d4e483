package org.gradwire.autograd.distributed;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The contexts that no message may create: those that their creator has released, by id; those that
 * other workers have released, by key; and all of lost workers. Keys that one worker has released
 * evict none of another. Not thread-safe.
 */
final class ReleasedContexts {
    static final int MOST_BY_KEY = 10_000;
    private static final int MOST_RANGES = 100_000;

    private final ReleasedContextIds byCreator = new ReleasedContextIds(MOST_RANGES);
    private final Map<Integer, Map<ContextKey, Boolean>> byOther = new HashMap<>();
    private final Set<Integer> lost = new HashSet<>();

    /** The latest keys; the oldest ones are evicted. */
    private static final class LatestKeys extends LinkedHashMap<ContextKey, Boolean> {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<ContextKey, Boolean> eldest) {
            return size() > MOST_BY_KEY;
        }
    }

    boolean contains(ContextKey key) {
        if (byCreator.contains(key.id()) || lost.contains(key.creator())) {
            return true;
        }
        if (byOther.isEmpty()) {
            return false;
        }
        ContextKey released = key.forRelease();
        return byOther.values().stream().anyMatch(keys -> keys.containsKey(released));
    }

    /**
     * Add a context that a worker has released.
     *
     * @param key as {@link ContextKey#forRelease} returns it
     */
    void add(int worker, ContextKey key) {
        if (worker == key.creator()) {
            byCreator.add(key.id());
        } else {
            byOther.computeIfAbsent(worker, _ -> new LatestKeys()).put(key, Boolean.TRUE);
        }
    }

    /**
     * Add all contexts of a lost worker.
     *
     * @param known its contexts that it has itself introduced here
     */
    void addLost(int worker, List<ContextKey> known) {
        long highest =
                known.stream()
                        .mapToLong(ContextKey::id)
                        .reduce(byCreator.highest(worker), Math::max);
        byCreator.addUpTo(GlobalIds.lastOfIncarnation(highest));
        byOther.remove(worker);
        lost.add(worker);
    }

    /** Note that a worker has joined, perhaps with the id of a lost one. */
    void onPeerJoined(int worker) {
        lost.remove(worker);
    }
}
