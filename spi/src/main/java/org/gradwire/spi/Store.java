package org.gradwire.spi;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * A small key-value table that all workers of a group share, at the rendezvous.
 *
 * <p>For rare exchanges at start and end; not for calls. All methods may block and may be called
 * from any thread.
 *
 * <p>All workers may read all entries, and write those that belong to no worker. If workers have
 * certificates that name them, the store over TCP lets only a worker itself write the {@linkplain
 * #keyOf entries that belong to it}; its addresses should be such entries.
 */
public interface Store extends AutoCloseable {

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
     */
    long add(String key, long amount);

    /** Close this worker's connection to the store. Its entries stay for the others. */
    @Override
    void close();
}
