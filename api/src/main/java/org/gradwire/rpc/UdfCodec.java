package org.gradwire.rpc;

import java.lang.reflect.Type;

/**
 * A codec for the values of user-function calls, such as one built on Jackson. Registered with
 * {@link RpcOptions.Builder#udfCodec} on the caller and on the callee, under the same name; used
 * for the calls that a thread makes within {@link Serialization#useCodec}.
 *
 * <p>It takes the arguments and results of functions that are neither operators nor scripts, except
 * null, references, and values with their own codec, such as tensors: these carry more than bytes.
 * Values behind a reference are not encoded; fetched values are encoded as always.
 *
 * <p>Safe for use by many threads. An exception of a method fails the one call, with an error that
 * names the codec and the type.
 */
public interface UdfCodec {

    /** {@return the name by which the callee finds it: stable, equal on all workers, not empty} */
    String name();

    /** Return the bytes of a value. */
    byte[] encode(Object value) throws Exception;

    /**
     * Return a value from its bytes. They come from a peer and may be anything.
     *
     * @param type the type that the function declares, with its type arguments; a value of another
     *     type is refused
     */
    Object decode(byte[] bytes, Type type) throws Exception;
}
