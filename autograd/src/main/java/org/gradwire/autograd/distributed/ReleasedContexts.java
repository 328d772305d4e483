package org.gradwire.autograd.distributed;

import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The contexts that no message makes any more: by id those whose creator has released them, by key
 * those that other workers have, and all of workers that are lost. What is kept of one worker
 * pushes out nothing of another. Not thread-safe.
 */
final class ReleasedContexts {
    static final int MOST_BY_KEY = 10_000;
    private static final int MOST_RANGES = 100_000;

    private final ReleasedContextIds byCreator = new ReleasedContextIds(MOST_RANGES);
    private final Map<Integer, Map<ContextKey, Boolean>> byOther = new HashMap<>();
    private final Set<Integer> lost = new HashSet<>();

    /** Keys, of which the oldest are forgotten. */
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
     * A worker has released a context.
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
     * A worker is lost.
     *
     * @param known its contexts that it has itself brought here
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

    boolean isLost(int worker) {
        return lost.contains(worker);
    }

    /** A worker has come, perhaps with the id of a lost one. */
    void onPeerJoined(int worker) {
        lost.remove(worker);
    }
}
