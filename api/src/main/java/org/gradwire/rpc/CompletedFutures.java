package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;

/** Completes a promise with the outcome of a stage of the JDK. */
final class CompletedFutures {

    private CompletedFutures() {}

    static <T extends @Nullable Object> RpcFuture<T> follow(
            RpcPromise<T> promise, CompletionStage<? extends T> stage) {
        stage.whenComplete((value, failure) -> {
            if (failure == null) {
                promise.tryComplete(value);
            } else {
                promise.tryFail(unchecked(failure));
            }
        });
        return promise;
    }

    private static RuntimeException unchecked(Throwable failure) {
        Throwable cause = failure.getCause();
        Throwable original =
                failure instanceof CompletionException && cause != null ? cause : failure;
        return original instanceof RuntimeException unchecked
                ? unchecked
                : new RpcException(RpcErrorKind.UNKNOWN, original.toString(), original);
    }
}
