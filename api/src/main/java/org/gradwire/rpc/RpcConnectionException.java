package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

/** The peer of a call is dead, unreachable, or was restarted under the same name. */
public class RpcConnectionException extends RpcException {
    private static final long serialVersionUID = 1L;

    /** Create a failure without a cause. */
    public RpcConnectionException(String message) {
        this(message, null);
    }

    /** Create a failure with its cause; null for none. */
    public RpcConnectionException(String message, @Nullable Throwable cause) {
        super(RpcErrorKind.CONNECTION, message, cause);
    }
}
