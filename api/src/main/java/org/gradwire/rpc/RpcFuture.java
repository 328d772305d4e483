package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The result of a call that may still be under way. It completes exactly once, with a value or a
 * failure.
 *
 * <p><b>Callbacks</b> run on a thread of the worker, never on a backend's; they may make calls and
 * may block. Those of one future run one after another, in the order they were registered. On a
 * future that is already complete, and whose earlier callbacks have run, a callback runs at once,
 * on the caller's thread. A future belongs to its worker: it cannot be sent.
 *
 * @param <T> type of the value
 */
public interface RpcFuture<T extends @Nullable Object> {

    /**
     * Wait for the result.
     *
     * @return the value
     * @throws RuntimeException the failure, of its original type
     */
    T join();

    /**
     * Wait for the result, but no longer than this.
     *
     * @throws RpcTimeoutException when the future is not complete by then; the call itself goes on
     */
    T join(Duration timeout);

    /** {@return whether the future is complete, either way} */
    boolean isDone();

    /**
     * Return the value of a complete future, without waiting.
     *
     * @throws IllegalStateException when it is not complete
     * @throws RuntimeException the failure, of its original type
     */
    T value();

    /**
     * Register a function of the completed future.
     *
     * @return completes with what {@code callback} returns or throws; the callback runs for a
     *     failed future too, and sees the failure when it joins
     */
    <R extends @Nullable Object> RpcFuture<R> then(Callback<T, R> callback);

    /**
     * Register a task for the end of this future.
     *
     * @return completes as this one does, with the same value or failure, when the task has run;
     *     what the task throws is logged and goes nowhere else
     */
    RpcFuture<T> whenDone(Runnable task);

    /**
     * Register a consumer of the completed future. What it throws is logged and goes nowhere else.
     */
    void onDone(Consumer<T> callback);

    /**
     * Give the result up: the future fails with an {@link RpcException} of kind {@link
     * RpcErrorKind#CANCELLED}. When it is that of a call, the callee is told, too: it does not
     * begin the function, or interrupts the thread that runs it, or cancels the future that an
     * asynchronous one has returned. A function that heeds no interrupt goes on, and its result is
     * dropped. Builtin operators are not interrupted. Does not wait for any of it.
     *
     * @return whether the future was not complete yet
     */
    boolean cancel();

    /** {@return a view of this future as the JDK's; cancelling it cancels this one} */
    CompletableFuture<T> toCompletableFuture();

    /** A function of a completed future. */
    @FunctionalInterface
    interface Callback<T extends @Nullable Object, R extends @Nullable Object> {
        R apply(RpcFuture<T> completed) throws Exception;
    }

    /** A consumer of a completed future. */
    @FunctionalInterface
    interface Consumer<T extends @Nullable Object> {
        void accept(RpcFuture<T> completed) throws Exception;
    }
}
