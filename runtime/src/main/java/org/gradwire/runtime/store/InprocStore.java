package org.gradwire.runtime.store;

import org.gradwire.spi.Lease;
import org.gradwire.spi.Store;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A store within one JVM. Its table is dropped when the last worker closes it. Workers that open it
 * after all ranks are taken begin another one with the same name.
 */
final class InprocStore implements Store {

    /** A table and its users, guarded by the map of tables except the values. */
    static final class Table {
        private final WaitingMap values = new WaitingMap();
        private final SourceLimit leases = new SourceLimit(StoreLimits.MAX_LEASES);
        private final Set<Integer> ranks = new HashSet<>();
        private int users;
    }

    private final String name;
    private final Map<String, Table> tables;
    private final Table table;
    private final KeptLeases leases = new KeptLeases();
    private volatile boolean closed;

    InprocStore(String name, Map<String, Table> tables, int rank, int worldSize) {
        this.name = name;
        this.tables = tables;
        synchronized (tables) {
            Table present = tables.get(name);
            table = present == null || present.ranks.size() == worldSize ? new Table() : present;
            table.ranks.add(rank);
            table.users++;
            tables.put(name, table);
        }
    }

    @Override
    public void set(String key, byte[] value) {
        values().set(key, value);
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        return values().get(key, timeout, () -> closed);
    }

    @Override
    public long add(String key, long amount) {
        return values().add(key, amount);
    }

    @Override
    public boolean compareAndSet(String key, byte @Nullable [] expected, byte[] value) {
        return values().compareAndSet(key, expected, value);
    }

    @Override
    public byte @Nullable [] watch(String key, byte @Nullable [] seen, Duration timeout) {
        return values().watch(key, seen, timeout, () -> closed);
    }

    @Override
    public Optional<Lease> acquire(String key, byte[] value, Duration timeToLive) {
        long requested = System.nanoTime();
        long id =
                values().acquire(
                                key,
                                value,
                                timeToLive,
                                () -> table.leases.enter(PendingHandshakes.LOOPBACK),
                                () -> table.leases.leave(PendingHandshakes.LOOPBACK));
        if (id == LeaseTable.NONE) {
            return Optional.empty();
        }
        return Optional.of(
                leases.keep(
                        key,
                        timeToLive,
                        requested,
                        () -> table.values.renew(key, id),
                        () -> table.values.release(key, id)));
    }

    @Override
    public void close() {
        synchronized (tables) {
            if (closed) {
                return;
            }
            closed = true;
            table.users--;
            if (table.users == 0) {
                tables.remove(name, table);
            }
        }
        table.values.wakeAll();
        leases.close();
    }

    private WaitingMap values() {
        if (closed) {
            throw WaitingMap.closed();
        }
        return table.values;
    }
}
