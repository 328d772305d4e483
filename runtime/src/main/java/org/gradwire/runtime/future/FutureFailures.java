package org.gradwire.runtime.future;

import org.gradwire.rpc.RemoteArgumentException;
import org.gradwire.rpc.RemoteException;
import org.gradwire.rpc.RemoteTypeMismatchException;
import org.gradwire.rpc.RpcConnectionException;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.TypeMismatchException;
import org.jspecify.annotations.Nullable;

/** Converts failures for the code that waits for a future, and for texts. */
public final class FutureFailures {

    private FutureFailures() {}

    /**
     * Return the failure with the stack trace of the calling thread, which is more useful than the
     * poller's. Failures of user code are returned unchanged.
     */
    public static RuntimeException forCaller(RuntimeException failure) {
        RuntimeException copy = copyOf(failure);
        if (copy == null) {
            return failure;
        }
        for (Throwable suppressed : failure.getSuppressed()) {
            copy.addSuppressed(suppressed);
        }
        return copy;
    }

    private static @Nullable RuntimeException copyOf(RuntimeException failure) {
        return switch (failure) {
            case RemoteException e ->
                    new RemoteException(e.worker(), e.remoteType(), e.getMessage());
            case RemoteArgumentException e ->
                    new RemoteArgumentException(
                            e.worker(), e.remoteType(), String.valueOf(e.getMessage()));
            case RemoteTypeMismatchException e ->
                    new RemoteTypeMismatchException(
                            e.worker(), e.remoteType(), String.valueOf(e.getMessage()));
            case RpcTimeoutException e -> new RpcTimeoutException(e.getMessage());
            case RpcConnectionException e ->
                    new RpcConnectionException(e.getMessage(), e.getCause());
            case RpcException e when e.getClass() == RpcException.class ->
                    new RpcException(e.kind(), e.getMessage(), e.getCause());
            default -> null;
        };
    }

    /** Return the failure of a future whose callback threw, of the same category. */
    static RuntimeException ofCallback(Throwable thrown) {
        String text = "Got the following error when running the callback: " + printed(thrown);
        return switch (thrown) {
            case TypeMismatchException e -> withCause(new TypeMismatchException(text), e);
            case IllegalArgumentException e -> new IllegalArgumentException(text, e);
            case RpcException e -> new RpcException(e.kind(), text, e);
            default -> new RpcException(RpcErrorKind.UNKNOWN, text, thrown);
        };
    }

    /** {@return the text of a user's exception, even if its {@code toString} fails} */
    public static String printed(Throwable thrown) {
        try {
            return thrown.toString();
        } catch (RuntimeException _) {
            return thrown.getClass().getName();
        }
    }

    private static RuntimeException withCause(RuntimeException failure, Throwable cause) {
        failure.initCause(cause);
        return failure;
    }
}
