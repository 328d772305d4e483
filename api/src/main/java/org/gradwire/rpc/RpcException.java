package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * A failure of a call, a reference or a group. The base of Gradwire's own exceptions.
 *
 * <p>Wrong arguments are {@link IllegalArgumentException}s instead.
 */
public class RpcException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final RpcErrorKind kind;

    /** Create a failure of the kind {@link RpcErrorKind#UNKNOWN}. */
    public RpcException(String message) {
        this(RpcErrorKind.UNKNOWN, message, null);
    }

    /** Create a failure without a cause. */
    public RpcException(RpcErrorKind kind, String message) {
        this(kind, message, null);
    }

    /** Create a failure of a kind, with its cause. */
    public RpcException(RpcErrorKind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** {@return the message, never null} */
    @Override
    public String getMessage() {
        return Objects.requireNonNullElse(super.getMessage(), "");
    }

    /** {@return the kind of failure, for code that branches on it} */
    public RpcErrorKind kind() {
        return kind;
    }
}
