package org.gradwire.autograd.distributed;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/** What passes do with failures. */
final class BackwardFailures {
    private static final String NODE_PREFIX = "Error on Node ";

    private BackwardFailures() {}

    /** Say what is to be done at an end; it is given the failure, or null. */
    static void whenDone(
            CompletableFuture<@Nullable Void> future, Consumer<@Nullable RuntimeException> action) {
        var _ =
                future.whenComplete(
                        (_, failure) -> action.accept(failure == null ? null : cause(failure)));
    }

    /** {@return what made a stage fail, as something that can be thrown} */
    static RuntimeException cause(Throwable failure) {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null
                        ? failure.getCause()
                        : failure;
        return cause instanceof RuntimeException e
                ? e
                : new RpcException(RpcErrorKind.UNKNOWN, cause.toString(), cause);
    }

    /** Say on which worker an error happened, unless it says so already. */
    static @Nullable RuntimeException named(Worker worker, @Nullable RuntimeException failure) {
        return failure == null ? null : at(worker, failure);
    }

    /** {@return an error that says on which worker it happened} */
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
