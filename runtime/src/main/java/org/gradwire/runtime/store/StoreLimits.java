package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcException;

/** The limits of a store, in which a group keeps names, addresses, sums and its membership log. */
final class StoreLimits {
    static final int MAX_KEY_LENGTH = 1024;
    static final int MAX_VALUE_BYTES = 64 << 10;
    static final int MAX_KEYS = 1 << 18;

    /** Limit of the bytes of all keys and values, with {@link #ENTRY_BYTES} for each. */
    static final long MAX_BYTES = 64 << 20;

    static final int ENTRY_BYTES = 64;

    /** Limit of the bytes of a file, in which overwritten values stay. */
    static final long MAX_FILE_BYTES = 1 << 30;

    /** Limit of concurrently waiting gets of one connection. */
    static final int MAX_WAITS = 1024;

    /** Limit of concurrently waiting gets of all connections. */
    static final int MAX_ALL_WAITS = 1 << 16;

    private StoreLimits() {}

    static void check(String key) {
        if (key.length() > MAX_KEY_LENGTH) {
            throw new IllegalArgumentException(
                    "a key of %d characters is too long for the store; at most %d"
                            .formatted(key.length(), MAX_KEY_LENGTH));
        }
    }

    static void check(String key, byte[] value) {
        check(key);
        if (value.length > MAX_VALUE_BYTES) {
            throw new IllegalArgumentException(
                    "a value of %d bytes is too large for the store; at most %d"
                            .formatted(value.length, MAX_VALUE_BYTES));
        }
    }

    static RpcException tooManyWaits() {
        return new RpcException(
                "too many waits for keys of the store at the same time; at most %d for a worker, and %d for the workers of a host"
                        .formatted(MAX_WAITS, MAX_ALL_WAITS / 2));
    }
}
