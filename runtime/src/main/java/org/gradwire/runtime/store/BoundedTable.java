package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;

/** A table of keys and values within {@link StoreLimits}. Not thread-safe. */
final class BoundedTable {
    private final int maxKeys;
    private final long maxBytes;
    private final Map<String, byte[]> values = new HashMap<>();
    private long bytes;

    BoundedTable() {
        this(StoreLimits.MAX_KEYS, StoreLimits.MAX_BYTES);
    }

    BoundedTable(int maxKeys, long maxBytes) {
        this.maxKeys = maxKeys;
        this.maxBytes = maxBytes;
    }

    /** {@return the value itself, not a copy} */
    byte @Nullable [] get(String key) {
        return values.get(key);
    }

    /**
     * Put a value, which must not be changed later.
     *
     * @throws RpcException if it does not fit; nothing has changed then
     */
    void put(String key, byte[] value) {
        bytes = bytesWith(key, value);
        values.put(key, value);
    }

    /** Fail if a value does not fit. */
    void check(String key, byte[] value) {
        bytesWith(key, value);
    }

    private long bytesWith(String key, byte[] value) {
        StoreLimits.check(key, value);
        byte[] old = values.get(key);
        if (old == null && values.size() >= maxKeys) {
            throw new RpcException(
                    "the store is full: it has %d keys, which is its limit".formatted(maxKeys));
        }
        long added =
                old == null
                        ? StoreLimits.ENTRY_BYTES + 2L * key.length() + value.length
                        : value.length - old.length;
        if (bytes + added > maxBytes) {
            throw new RpcException(
                    "the store is full: it has %d bytes, and %d more exceed its limit of %d"
                            .formatted(bytes, added, maxBytes));
        }
        return bytes + added;
    }

    /** Remove a value, if it exists. */
    void remove(String key) {
        byte[] old = values.remove(key);
        if (old != null) {
            bytes -= StoreLimits.ENTRY_BYTES + 2L * key.length() + old.length;
        }
    }

    void clear() {
        values.clear();
        bytes = 0;
    }
}
