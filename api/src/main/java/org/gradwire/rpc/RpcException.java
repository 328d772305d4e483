package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/**
 * What went wrong with a call, a reference or a group. The base of this library's own failures.
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

    public RpcException(RpcErrorKind kind, String message) {
        this(kind, message, null);
    }

    public RpcException(RpcErrorKind kind, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.kind = kind;
    }

    /** {@return what went wrong, never null} */
    @Override
    public String getMessage() {
        return Objects.requireNonNullElse(super.getMessage(), "");
    }

    /** {@return the class of failure, for code that branches on it} */
    public RpcErrorKind kind() {
        return kind;
    }
}
