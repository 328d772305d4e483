package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/** Completes a future with the values of others. */
final class CollectedFutures<T extends @Nullable Object> {
    private final RpcPromise<List<T>> result;
    private final List<? extends RpcFuture<? extends T>> futures;
    private final AtomicInteger left;

    CollectedFutures(RpcPromise<List<T>> result, List<? extends RpcFuture<? extends T>> futures) {
        this.result = result;
        this.futures = futures;
        this.left = new AtomicInteger(futures.size());
        if (futures.isEmpty()) {
            result.complete(List.of());
        }
        futures.forEach(this::watch);
    }

    RpcFuture<List<T>> result() {
        return result;
    }

    private <V extends T> void watch(RpcFuture<V> future) {
        future.onDone(done -> {
            try {
                done.value();
            } catch (RuntimeException failure) {
                if (left.getAndSet(-1) > 0) { // the first failure; later values cannot complete it
                    result.fail(failure);
                }
                return;
            }
            if (left.decrementAndGet() == 0) {
                complete();
            }
        });
    }

    private void complete() {
        List<T> values = new ArrayList<>(futures.size());
        futures.forEach(future -> values.add(future.value()));
        result.complete(Collections.unmodifiableList(values));
    }

    /** Completes a promise with the outcome of a stage of the JDK. */
    static final class Stages {

        private Stages() {}

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
}
