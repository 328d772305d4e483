package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/**
 * The result of a call, which may still be pending. It completes exactly once, with a value or a
 * failure.
 *
 * <p><b>Callbacks</b> run on a thread of the worker, never on a backend's; they may make calls and
 * may block. The callbacks of one future run sequentially, in the order of their registration. If
 * the future is complete and its earlier callbacks have run, a callback runs at once, on the
 * registering thread. A future belongs to its worker: it cannot be sent.
 *
 * @param <T> type of the value
 */
public interface RpcFuture<T extends @Nullable Object> {

    /**
     * Wait for the result.
     *
     * @return the value
     * @throws RuntimeException the failure, of its original type
     * @throws RpcException if the thread is interrupted meanwhile; its interrupt status stays set,
     *     and the call itself continues
     */
    T join();

    /**
     * Wait for the result, at most for a timeout.
     *
     * @throws RpcTimeoutException when the timeout passes; the call itself continues
     * @throws RpcException if the thread is interrupted, as {@link #join()}
     */
    T join(Duration timeout);

    /** {@return whether the future is complete, with a value or a failure} */
    boolean isDone();

    /**
     * Return the value of a complete future, without waiting.
     *
     * @throws IllegalStateException when it is not complete
     * @throws RuntimeException the failure, of its original type
     */
    T value();

    /**
     * Register a function that runs when the future is complete.
     *
     * {@snippet :
     * RpcFuture<Double> mean = rpc.rpcAsync("worker1", Jobs::sum, values).then(sum -> sum.join() / n);
     * }
     *
     * @return completes with the result or the exception of {@code callback}; the callback runs for
     *     a failed future too, and sees the failure when it joins
     */
    <R extends @Nullable Object> RpcFuture<R> then(Callback<T, R> callback);

    /**
     * Register a task that runs when this future is complete.
     *
     * @return completes with the same value or failure, after the task has run; an exception of the
     *     task is only logged
     */
    RpcFuture<T> whenDone(Runnable task);

    /** Register a consumer of the completed future. An exception of the consumer is only logged. */
    void onDone(Consumer<T> callback);

    /**
     * Cancel the future: it fails with an {@link RpcException} of kind {@link
     * RpcErrorKind#CANCELLED}. If it belongs to a call, the callee is notified: it does not start
     * the function, or interrupts the thread that runs it, or cancels the future that an
     * asynchronous function has returned. A function that ignores interrupts runs to its end, and
     * its result is dropped. Builtin operators are not interrupted. Does not wait for the callee.
     *
     * @return whether the future was not complete yet
     */
    boolean cancel();

    /**
     * Return a new view of this future as the JDK's. It completes with the same value or failure;
     * cancelling it cancels this future, as {@link #cancel} does.
     *
     * <p>Completing the view in another way, also by {@code orTimeout} or {@code
     * completeOnTimeout}, does not end the call, and neither does cancelling a dependent of it:
     *
     * {@snippet :
     * RpcFuture<Double> mean = rpc.rpcAsync("worker1", Jobs::mean, values);
     * CompletableFuture<String> text = mean.toCompletableFuture().thenApply(m -> "mean " + m);
     * text.cancel(true); // the call continues
     * mean.cancel(); // cancels it
     * }
     *
     * <p>Dependents run where callbacks of this future do: on a thread of the worker, or at once on
     * the registering thread if the view is complete. Those of the {@code ...Async} methods run on
     * the JDK's threads, on which {@link Rpc#current} fails.
     *
     * <p>A {@code StructuredTaskScope} interrupts the threads of its subtasks. A wait ends then,
     * but the call continues: a subtask that shall end its call calls {@link #cancel}.
     */
    CompletableFuture<T> toCompletableFuture();

    /** A function of a completed future. */
    @FunctionalInterface
    interface Callback<T extends @Nullable Object, R extends @Nullable Object> {
        /**
         * Compute the value of the future that {@link RpcFuture#then} has returned.
         *
         * @param completed the complete future, whose {@link RpcFuture#value} returns or throws
         * @throws Exception fails that future with a text about the callback and this exception as
         *     the cause. {@link TypeMismatchException}, {@link IllegalArgumentException} and the
         *     kind of an {@link RpcException} are kept; others become an {@code RpcException}
         */
        R apply(RpcFuture<T> completed) throws Exception;
    }

    /** A consumer of a completed future. */
    @FunctionalInterface
    interface Consumer<T extends @Nullable Object> {
        /**
         * Handle the completion of a future.
         *
         * @param completed the complete future, whose {@link RpcFuture#value} returns or throws
         * @throws Exception is logged and ignored
         */
        void accept(RpcFuture<T> completed) throws Exception;
    }
}
