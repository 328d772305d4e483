package org.gradwire.runtime.store;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Store;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** The limits of a store, in which a group keeps names, addresses, sums and its membership log. */
final class StoreLimits {
    static final int MAX_KEY_LENGTH = Store.MAX_KEY_LENGTH;
    static final int MAX_VALUE_BYTES = Store.MAX_VALUE_BYTES;
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

    /** Limit of the leases of the workers of all hosts; half of it for one host. */
    static final int MAX_LEASES = 1 << 14;

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

    static void check(Duration timeToLive) {
        if (timeToLive.compareTo(Store.MIN_LEASE) < 0
                || timeToLive.compareTo(Store.MAX_LEASE) > 0) {
            throw new IllegalArgumentException(
                    "a lease cannot have a time to live of %d ms; at least %d and at most %d"
                            .formatted(
                                    TimeUnit.MILLISECONDS.convert(timeToLive),
                                    Store.MIN_LEASE.toMillis(),
                                    Store.MAX_LEASE.toMillis()));
        }
    }

    static RpcException tooManyLeases() {
        return new RpcException(
                "too many leases of keys of the store at the same time; at most %d for all workers, and %d for the workers of a host"
                        .formatted(MAX_LEASES, MAX_LEASES / 2));
    }

    static RpcException tooManyWaits() {
        return new RpcException(
                "too many waits for keys of the store at the same time; at most %d for a worker, and %d for the workers of a host"
                        .formatted(MAX_WAITS, MAX_ALL_WAITS / 2));
    }
}
