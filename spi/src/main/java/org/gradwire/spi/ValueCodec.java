package org.gradwire.spi;

/**
 * Turns values of one type into bytes and buffers, and back. An extension gives its codecs to every
 * worker; see {@link RpcExtension#codecs}.
 *
 * <p>Stateless, or safe for use by many threads.
 *
 * @param <T> the type, and its subtypes unless they have codecs of their own
 */
public interface ValueCodec<T> {

    /** {@return the name of the type on the wire: stable, equal on all workers} */
    String tag();

    /** {@return the type} */
    Class<T> type();

    /**
     * {@return whether decoding is short, never blocks and runs no user code, so that it may be
     * done on a poller}
     */
    boolean light();

    /**
     * {@return whether a method reference that is bound to a value may be sent, and the value with
     * it}
     */
    default boolean bindable() {
        return true;
    }

    /**
     * {@return whether a value may hold remote references that its class only knows of, so that a
     * worker which owns the value keeps them open with it}
     */
    default boolean holdsReferences() {
        return true;
    }

    /** Write a value. Runs on the thread that makes the call, or that answers it. */
    void encode(T value, Output out);

    /**
     * Read a value.
     *
     * @throws DecodingException when the bytes do not fit
     */
    T decode(Input in);
}
