package org.gradwire.profiler;

import org.gradwire.rpc.RpcFuture;
import org.jspecify.annotations.Nullable;

/**
 * A named part of a program in profiles, opened by {@link Profiler#scope}.
 *
 * <p>Close it on the thread that opened it, inner ones first. This ends its event, unless {@link
 * #endWhenDone} or {@link #detach} was called.
 */
public sealed interface Scope extends AutoCloseable permits NoScope, OpenScope {

    /**
     * End the event when a future completes, rather than when the scope is closed. May be called
     * from any thread.
     *
     * @return completes like {@code future}, after the event has ended
     * @throws org.gradwire.rpc.RpcException when the end of the event was set before
     */
    <T extends @Nullable Object> RpcFuture<T> endWhenDone(RpcFuture<T> future);

    /**
     * Close the scope, but not its event.
     *
     * @return ends the event, on any thread
     * @throws org.gradwire.rpc.RpcException when the end of the event was set before
     */
    Runnable detach();

    /** Leave the scope on this thread. */
    @Override
    void close();
}
