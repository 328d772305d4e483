package org.gradwire.spi;

import java.time.Duration;

/**
 * The small shared table where a group comes together: names to bytes, seen by all its workers.
 *
 * <p>For what happens now and then, at start and end; not for calls. All methods may block and may
 * be called from any thread.
 */
public interface Store extends AutoCloseable {

    /** Write a value. */
    void set(String key, byte[] value);

    /**
     * Read a value, waiting until it is there.
     *
     * @throws org.gradwire.rpc.RpcTimeoutException when it does not appear in time; the message
     *     names the key
     */
    byte[] get(String key, Duration timeout);

    /**
     * Add to a number, which starts at 0, and return the sum. Reading it with {@link #get} gives
     * decimal text.
     */
    long add(String key, long amount);

    /** Stop using the store. What was written stays for the others. */
    @Override
    void close();
}
