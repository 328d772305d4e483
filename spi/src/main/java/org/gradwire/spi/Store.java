package org.gradwire.spi;

import java.time.Duration;

/**
 * A small key-value table that all workers of a group share, at the rendezvous.
 *
 * <p>For rare exchanges at start and end; not for calls. All methods may block and may be called
 * from any thread.
 */
public interface Store extends AutoCloseable {

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
