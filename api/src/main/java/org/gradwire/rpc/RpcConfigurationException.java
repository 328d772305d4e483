package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

/**
 * A worker could not start as configured: something is missing, unknown, contradictory, or cannot
 * work on this machine.
 */
public class RpcConfigurationException extends RpcException {
    private static final long serialVersionUID = 1L;

    /** Create a failure without a cause. */
    public RpcConfigurationException(String message) {
        this(message, null);
    }

    /** Create a failure with its cause; null for none. */
    public RpcConfigurationException(String message, @Nullable Throwable cause) {
        super(RpcErrorKind.UNKNOWN, message, cause);
    }
}
