package org.gradwire.runtime.call;

import org.gradwire.rpc.RpcFuture;
import org.gradwire.runtime.future.CallFuture;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.BiConsumer;

/**
 * The future returned by an asynchronous function: an {@link RpcFuture} or any {@link
 * CompletionStage}.
 */
final class ReturnedFuture {

    private ReturnedFuture() {}

    /** {@return an action that cancels the future; null if the result is not a future} */
    static @Nullable Runnable canceller(@Nullable Object result, Executor threads) {
        return switch (result) {
            case CallFuture<?> future -> future::cancel;
            case RpcFuture<?> future -> () -> threads.execute(future::cancel);
            case CompletionStage<?> stage ->
                    () -> threads.execute(() -> stage.toCompletableFuture().cancel(true));
            case null, default -> null;
        };
    }

    /** Register a listener of a future, which runs on any thread. */
    static void whenDone(
            @Nullable Object result, BiConsumer<@Nullable Object, @Nullable Throwable> listener) {
        switch (result) {
            case CallFuture<?> future -> future.whenEnded(listener::accept);
            case RpcFuture<?> future -> {
                var _ = future.toCompletableFuture().whenComplete(listener);
            }
            case CompletionStage<?> stage -> {
                var _ = stage.whenComplete(listener);
            }
            case null, default -> throw new IllegalArgumentException("not a future: " + result);
        }
    }
}
