package org.gradwire.rpc;

/**
 * Converts a worker's values to bytes and back, and selects the codec of calls.
 *
 * <p>Obtained from {@link Rpc#serialization}. All methods may be called from any thread; the scopes
 * belong to the thread that opened them.
 *
 * {@snippet :
 * byte[] saved = rpc.serialization().toBytes(settings);
 * Settings again = rpc.serialization().fromBytes(saved, Settings.class);
 * }
 */
public interface Serialization {

    /**
     * Return a value as bytes, from which {@link #fromBytes} makes it again on any worker of the
     * group.
     *
     * @param value anything that may be an argument of a call
     * @throws TypeMismatchException if the value may not be an argument
     * @throws RpcException if the value holds a reference and the thread has no {@link
     *     #allowReferences} open, or the owner of the reference cannot be notified
     */
    byte[] toBytes(Object value);

    /**
     * Decode a value from the bytes of {@link #toBytes}. Bytes with references can be decoded once.
     *
     * @param type of the value; {@code Object.class} takes any
     * @return the value, after the owners of all its references have confirmed them
     * @throws RpcException of kind {@link RpcErrorKind#UNDECODABLE} if the bytes hold no value; of
     *     another kind if a reference was made from them before, or its owner cannot be notified
     * @throws TypeMismatchException if the value is of another type
     */
    <T> T fromBytes(byte[] bytes, Class<T> type);

    /**
     * Allow this thread to write references with {@link #toBytes} until the scope is closed.
     *
     * <p>The owner counts each reference in the bytes and keeps the value alive until the bytes are
     * read. <b>Bytes that are never read leak the value</b>: its owner keeps it and reports it at
     * shutdown.
     */
    RpcScope allowReferences();

    /**
     * Use another codec for the calls of user functions that this thread makes through this worker,
     * until the scope is closed. Scopes do not nest: closing one always restores the built-in
     * codec.
     *
     * {@snippet :
     * try (RpcScope _ = rpc.serialization().useCodec("json")) {
     *     Order order = rpc.rpcSync("worker1", Orders::find, 7);
     * }
     * }
     *
     * @param name of a codec registered with {@link RpcOptions.Builder#udfCodec}
     * @throws IllegalArgumentException if no codec has this name
     */
    RpcScope useCodec(String name);
}
