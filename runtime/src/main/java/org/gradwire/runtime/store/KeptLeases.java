package org.gradwire.runtime.store;

import org.gradwire.spi.Lease;
import org.gradwire.spi.store.LeaseKeeper;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The leases that a worker keeps alive in one store, which end with it. Thread-safe. */
final class KeptLeases {
    private final Set<LeaseKeeper> kept = ConcurrentHashMap.newKeySet();
    private volatile boolean closed;

    /** Keep a lease, as {@link LeaseKeeper} does. */
    Lease keep(
            String key,
            Duration timeToLive,
            long requestedNanos,
            LeaseKeeper.Renewal renewal,
            Runnable removal) {
        kept.removeIf(lease -> !lease.isHeld());
        var lease = new LeaseKeeper(key, timeToLive, requestedNanos, renewal, removal);
        kept.add(lease);
        if (closed) {
            lease.close(); // the store was closed meanwhile
        }
        return lease;
    }

    /** Remove the keys. */
    void close() {
        closed = true;
        List.copyOf(kept).forEach(LeaseKeeper::close);
    }

    /** Leave the keys to expire. */
    void abandon() {
        closed = true;
        kept.forEach(LeaseKeeper::abandon);
    }
}
