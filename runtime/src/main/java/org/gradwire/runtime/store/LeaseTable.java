package org.gradwire.runtime.store;

import org.jspecify.annotations.Nullable;

import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The leases of the keys of a {@link WaitingMap}. Not thread-safe. */
final class LeaseTable {
    static final long NONE = 0;

    private final SecureRandom random = new SecureRandom(); // ids are secret: they prove ownership
    private final Map<String, Granted> leases = new HashMap<>();

    /** A lease, which its holder has to renew before its end. */
    private record Granted(long id, long lifeNanos, long endNanos, Runnable onEnd) {}

    /** {@return the id of a new lease} */
    long grant(String key, long lifeNanos, Runnable onEnd) {
        long id;
        do {
            id = random.nextLong();
        } while (id == NONE);
        leases.put(key, new Granted(id, lifeNanos, System.nanoTime() + lifeNanos, onEnd));
        return id;
    }

    /** Renew a lease; {@return false if the key has no lease with this id} */
    boolean renew(String key, long id) {
        Granted old = leases.get(key);
        if (old == null || old.id != id) {
            return false;
        }
        long end = System.nanoTime() + old.lifeNanos;
        leases.put(key, new Granted(id, old.lifeNanos, end, old.onEnd));
        return true;
    }

    /** Remove a lease; {@return false if the key has no lease with this id} */
    boolean remove(String key, long id) {
        Granted old = leases.get(key);
        if (old == null || old.id != id) {
            return false;
        }
        leases.remove(key);
        old.onEnd.run();
        return true;
    }

    /** {@return the time until the lease of a key ends; null if it has none} */
    @Nullable Long nanosLeft(String key) {
        Granted lease = leases.get(key);
        return lease == null ? null : lease.endNanos - System.nanoTime();
    }

    /** Remove the lease of a key if it has ended; {@return whether it had} */
    boolean removeIfEnded(String key) {
        Granted lease = leases.get(key);
        return lease != null && lease.endNanos - System.nanoTime() <= 0 && remove(key, lease.id);
    }

    /** {@return the keys whose leases have ended, and are still in the table} */
    List<String> ended() {
        List<String> ended = new ArrayList<>();
        long now = System.nanoTime();
        leases.forEach((key, lease) -> {
            if (lease.endNanos - now <= 0) {
                ended.add(key);
            }
        });
        return ended;
    }
}
