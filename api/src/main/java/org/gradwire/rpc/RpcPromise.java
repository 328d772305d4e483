package org.gradwire.rpc;

import org.jspecify.annotations.Nullable;

/**
 * A future that the program completes; made by {@link Rpc#promise}. Functions marked {@link
 * AsyncExecution} return one to reply later.
 *
 * {@snippet :
 * @AsyncExecution @RemoteCallable public static RpcFuture<Integer> answer() {
 *     RpcPromise<Integer> promise = Rpc.current().promise();
 *     QUEUE.add(promise);
 *     return promise;
 * }
 * }
 *
 * @param <T> type of the value
 */
public interface RpcPromise<T extends @Nullable Object> extends RpcFuture<T> {

    /**
     * Complete with a value.
     *
     * @throws IllegalStateException when the future is already complete
     */
    void complete(T value);

    /**
     * Complete with a failure.
     *
     * @throws IllegalStateException when the future is already complete
     */
    void fail(RuntimeException failure);

    /**
     * Complete with a value, unless the future is complete already: for several sources of which
     * the first one wins.
     *
     * @return whether this call has completed it
     */
    boolean tryComplete(T value);

    /**
     * Complete with a failure, unless the future is complete already.
     *
     * @return whether this call has completed it
     */
    boolean tryFail(RuntimeException failure);
}
