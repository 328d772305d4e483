package org.gradwire.rpc;

import java.lang.reflect.Type;

/**
 * Another way to write the values of user-function calls: by Jackson, say. Registered with {@link
 * RpcOptions.Builder#udfCodec} on the caller and on the callee, under the same name; used for the
 * calls that a thread makes while it has {@link Rpc#useUdfCodec} open.
 *
 * <p>It takes the arguments and results of functions that are neither operators nor scripts, except
 * null, references, and values with a codec of their own such as tensors: these have more to carry
 * than bytes. What stays on its worker behind a reference is not encoded, and what is fetched from
 * there is encoded as always.
 *
 * <p>Safe for use by many threads. What a method throws fails the one call, with an error that
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
     * @param type as the function declares it, with its type arguments; a value of another type is
     *     refused
     */
    Object decode(byte[] bytes, Type type) throws Exception;
}
