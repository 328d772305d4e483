package org.gradwire.spi;

/**
 * Encodes values of one type as bytes and buffers, and decodes them. {@link RpcExtension#codecs}
 * registers it with every worker.
 *
 * <p>Stateless, or thread-safe.
 *
 * @param <T> the type, including subtypes without their own codec
 */
public interface ValueCodec<T> {

    /** {@return the name of the type on the wire: stable, equal on all workers} */
    String tag();

    /** {@return the type} */
    Class<T> type();

    /**
     * {@return whether {@link #decode} is short, never blocks and runs no user code, so that it may
     * run on a poller}
     */
    boolean runsOnPoller();

    /**
     * {@return whether a method reference bound to a value may be sent, together with the value}
     */
    default boolean bindable() {
        return true;
    }

    /**
     * {@return whether a value may contain remote references that only its class can find, so that
     * a worker that owns the value keeps them open}
     */
    default boolean holdsReferences() {
        return true;
    }

    /** Write a value. Runs on the thread that makes the call or sends the reply. */
    void encode(T value, Output out);

    /**
     * Read a value.
     *
     * @throws DecodingException if the bytes are malformed
     */
    T decode(Input in);
}
