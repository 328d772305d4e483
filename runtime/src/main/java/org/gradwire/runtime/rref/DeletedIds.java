package org.gradwire.runtime.rref;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The tombstones of deleted forks and values, which a late message must not restore. Separate for
 * each deleting worker, so that no worker evicts the ids of another. Not thread-safe.
 */
final class DeletedIds {
    static final int MOST_PER_WORKER = 100_000;
    private static final Duration LIFETIME = Duration.ofMinutes(15);

    private final Map<Integer, Cache<GloballyUniqueId, Boolean>> byWorker = new HashMap<>();

    void add(int worker, GloballyUniqueId id) {
        byWorker.computeIfAbsent(worker, _ -> newCache()).put(id, Boolean.TRUE);
    }

    private static Cache<GloballyUniqueId, Boolean> newCache() {
        return Caffeine.newBuilder()
                .maximumSize(MOST_PER_WORKER)
                .expireAfterWrite(LIFETIME)
                .build();
    }

    boolean contains(int worker, GloballyUniqueId id) {
        Cache<GloballyUniqueId, Boolean> ids = byWorker.get(worker);
        return ids != null && ids.getIfPresent(id) != null;
    }

    void remove(int worker, GloballyUniqueId id) {
        Cache<GloballyUniqueId, Boolean> ids = byWorker.get(worker);
        if (ids != null) {
            ids.invalidate(id);
        }
    }

    /** Forget the ids of a worker, from which no late messages can arrive. */
    void forget(int worker) {
        byWorker.remove(worker);
    }
}
