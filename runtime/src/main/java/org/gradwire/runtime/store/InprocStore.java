package org.gradwire.runtime.store;

import org.gradwire.spi.Store;

import java.time.Duration;
import java.util.Map;

/**
 * A store within one JVM. Its table is forgotten when as many workers have closed it as there are
 * in the group, so that the name can be used again.
 */
final class InprocStore implements Store {

    /** A table and how many are still to close it. */
    static final class Table {
        private final WaitingMap values = new WaitingMap();
        private int opened;
        private int closed;
    }

    private final String name;
    private final Map<String, Table> tables;
    private final Table table;
    private final int worldSize;
    private boolean open = true;

    InprocStore(String name, Map<String, Table> tables, int worldSize) {
        this.name = name;
        this.tables = tables;
        this.worldSize = worldSize;
        this.table =
                tables.compute(
                        name,
                        (_, present) -> {
                            Table joined =
                                    present == null || present.opened == worldSize
                                            ? new Table()
                                            : present;
                            joined.opened++;
                            return joined;
                        });
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
        tables.computeIfPresent(
                name,
                (_, present) -> {
                    if (open && present == table) {
                        open = false;
                        present.closed++;
                    }
                    return present.closed == worldSize ? null : present;
                });
    }
}
