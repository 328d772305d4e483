package org.gradwire.autograd.distributed;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** Converts failures of backward passes. */
final class BackwardFailures {
    private static final String NODE_PREFIX = "Error on Node ";

    private BackwardFailures() {}

    /** Run an action when a future is done; it gets the failure, or null. */
    static void whenDone(
            CompletableFuture<@Nullable Void> future, Consumer<@Nullable RuntimeException> action) {
        var _ =
                future.whenComplete(
                        (_, failure) -> action.accept(failure == null ? null : cause(failure)));
    }

    /** {@return the cause of the failure of a stage, as an unchecked exception} */
    static RuntimeException cause(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        return cause instanceof RuntimeException e
                ? e
                : new RpcException(RpcErrorKind.UNKNOWN, cause.toString(), cause);
    }

    /** Add this worker to a failure that names none yet; null stays null. */
    static @Nullable RuntimeException named(Worker worker, @Nullable RuntimeException failure) {
        return failure == null ? null : at(worker, failure);
    }

    /** {@return a failure that names the worker on which it happened} */
    static RuntimeException at(Worker worker, RuntimeException failure) {
        String message = failure.getMessage();
        if (message != null && message.startsWith(NODE_PREFIX)) {
            return failure;
        }
        RpcErrorKind kind = failure instanceof RpcException e ? e.kind() : RpcErrorKind.UNKNOWN;
        return new RpcException(
                kind,
                NODE_PREFIX
                        + worker.self().id()
                        + ": "
                        + (message == null ? failure.toString() : message),
                failure);
    }
}
