package org.gradwire.profiler;

import org.gradwire.rpc.RpcFuture;
import org.jspecify.annotations.Nullable;

/**
 * A part of a program that has a name in profiles; opened by {@link Profiler#scope}.
 *
 * <p>Close it on the thread that opened it, inner ones first. Its event ends then, unless it was
 * told to end at another time.
 */
public sealed interface Scope extends AutoCloseable permits NoScope, OpenScope {

    /**
     * Let the event end when a future does, rather than when the scope is closed. May be called
     * from any thread.
     *
     * @return completes as {@code future} does, when the event has ended
     * @throws org.gradwire.rpc.RpcException when the scope was told before when to end
     */
    <T extends @Nullable Object> RpcFuture<T> endWhenDone(RpcFuture<T> future);

    /**
     * Close the scope, and let its event go on.
     *
     * @return ends the event, on any thread
     * @throws org.gradwire.rpc.RpcException when the scope was told before when to end
     */
    Runnable detach();

    /** Leave the scope on this thread. */
    @Override
    void close();
}
