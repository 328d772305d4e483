package org.gradwire.spi;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

/**
 * Malformed bytes from a peer: truncated, over a limit, or with a name that does not exist here.
 * Fails one call or one connection, never the worker.
 */
public class DecodingException extends RpcException {
    private static final long serialVersionUID = 1L;

    /** Create a failure without a cause. */
    public DecodingException(String message) {
        this(message, null);
    }

    /** Create a failure with its cause; null for none. */
    public DecodingException(String message, @Nullable Throwable cause) {
        super(RpcErrorKind.UNDECODABLE, message, cause);
    }
}
