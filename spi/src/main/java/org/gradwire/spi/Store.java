package org.gradwire.spi;

import org.gradwire.rpc.RpcConfigurationException;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;

/**
 * A small key-value table that all workers of a group share, at the rendezvous.
 *
 * <p>For rare exchanges at start and end, and for decisions about members; not for calls. All
 * methods may block and may be called from any thread. A blocked method ends at its timeout, when
 * its thread is interrupted, and when the store is closed; an operation without a timeout ends
 * within a time that the store limits. Arrays are copied.
 *
 * <p>Operations are linearizable: each takes effect at one moment between its call and its return.
 * An operation that throws an {@link org.gradwire.rpc.RpcException} because the store cannot be
 * reached may have taken effect, and took effect at most once.
 *
 * <p>A key is any text of at most {@value #MAX_KEY_LENGTH} characters, a value has at most {@value
 * #MAX_VALUE_BYTES} bytes. Methods throw {@link IllegalArgumentException} above that, and an {@link
 * org.gradwire.rpc.RpcException} when the store is full or cannot be reached.
 *
 * <p>All workers may read all entries, and write those that belong to no worker. If workers have
 * certificates that name them, the store over TCP lets only a worker itself write the {@linkplain
 * #keyOf entries that belong to it}; its addresses should be such entries.
 *
 * <p>Operations that a store does not have, as the {@link StoreCapability capabilities} of its
 * provider say, throw {@link RpcConfigurationException}.
 */
public interface Store extends AutoCloseable {
    /** Limit of the characters of a key. */
    int MAX_KEY_LENGTH = 1024;

    /** Limit of the bytes of a value. */
    int MAX_VALUE_BYTES = 64 << 10;

    /** The shortest time to live of a lease. */
    Duration MIN_LEASE = Duration.ofSeconds(1);

    /** The longest time to live of a lease. */
    Duration MAX_LEASE = Duration.ofHours(1);

    /**
     * {@return the key of an entry that belongs to a worker}
     *
     * @param worker its name
     * @param key unique among the entries of the worker, such as {@code tensorpipe/address}
     */
    static String keyOf(String worker, String key) {
        return WorkerKeys.PREFIX + worker + WorkerKeys.SEPARATOR + key;
    }

    /**
     * {@return the name of the worker to which an entry belongs; null if it belongs to none}
     *
     * @param key of the entry
     */
    static @Nullable String ownerOf(String key) {
        return WorkerKeys.ownerOf(key);
    }

    /** Write a value. */
    void set(String key, byte[] value);

    /**
     * Read a value, waiting until it exists.
     *
     * @throws org.gradwire.rpc.RpcTimeoutException if it does not appear in time; the message names
     *     the key
     */
    byte[] get(String key, Duration timeout);

    /**
     * Add to a number, which starts at 0, and return the sum. {@link #get} returns it as decimal
     * text.
     *
     * @throws org.gradwire.rpc.RpcException if the value is not a number
     */
    long add(String key, long amount);

    /**
     * Write a value if the present one is the expected one, byte for byte.
     *
     * @param expected null: the key must not exist
     * @return whether it was written
     */
    default boolean compareAndSet(String key, byte @Nullable [] expected, byte[] value) {
        throw StoreCapability.COMPARE_AND_SET.missingIn(this);
    }

    /**
     * Wait until a value differs from one that the caller has seen, byte for byte, and return it.
     *
     * <p>Values that exist only between two looks at the store may be skipped; the last one is not.
     * So a value that returns to its former content may be missed, unless it contains a number that
     * grows.
     *
     * @param seen null: the key did not exist
     * @return the present value; null if the key does not exist
     * @throws org.gradwire.rpc.RpcTimeoutException if it does not change in time; the message names
     *     the key
     */
    default byte @Nullable [] watch(String key, byte @Nullable [] seen, Duration timeout) {
        throw StoreCapability.WATCH.missingIn(this);
    }

    /**
     * Create a key that vanishes when this process stops keeping it alive, unless it exists.
     *
     * <p>The store renews the lease until it is closed. When the process ends or stops, or cannot
     * reach the store, the key vanishes: not before the time to live has passed since the last
     * renewal, and within about twice that time. A {@code set}, {@code add} or {@code
     * compareAndSet} of the key changes its value and not its lease. Closing the store ends its
     * leases.
     *
     * @param timeToLive from {@link #MIN_LEASE} to {@link #MAX_LEASE}; a store may round it up
     * @return empty if the key exists
     * @throws IllegalArgumentException if the time to live is outside these limits
     */
    default Optional<Lease> acquire(String key, byte[] value, Duration timeToLive) {
        throw StoreCapability.LEASE.missingIn(this);
    }

    /**
     * Close this worker's connection to the store when the group ends. Its entries stay for the
     * others, except those with its leases. A worker that serves the store waits for the others for
     * a limited time, so that they get their last replies. Further calls have no effect; other
     * operations fail.
     */
    @Override
    void close();

    /**
     * Close the store while the group continues. A worker that serves it continues to serve while
     * it is used and the process runs.
     */
    default void leave() {
        close();
    }

    /** Close the store without a wait. If this worker serves it, the others lose it. */
    default void closeNow() {
        close();
    }
}
