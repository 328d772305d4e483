package org.gradwire.runtime.store;

import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * A store within one JVM. Its table is dropped when the last worker closes it. Workers that open it
 * after all ranks are taken begin another one with the same name.
 */
final class InprocStore implements GroupStore {

    /** A table and its users, guarded by the map of tables except the values. */
    static final class Table {
        private final WaitingMap values = new WaitingMap();
        private final Set<Integer> ranks = new HashSet<>();
        private int users;
    }

    private final String name;
    private final Map<String, Table> tables;
    private final Table table;
    private boolean open = true;

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
        table.values.set(key, value);
    }

    @Override
    public byte[] get(String key, Duration timeout) {
        return table.values.get(key, timeout);
    }

    @Override
    public long add(String key, long amount) {
        return table.values.add(key, amount);
    }

    @Override
    public void close() {
        synchronized (tables) {
            if (open) {
                open = false;
                table.users--;
                if (table.users == 0) {
                    tables.remove(name, table);
                }
            }
        }
    }
}
