package org.gradwire.profiler;

import org.gradwire.rpc.RpcFuture;
import org.jspecify.annotations.Nullable;

/** The scope on a thread that no profiler records. */
enum NoScope implements Scope {
    NONE;

    @Override
    public <T extends @Nullable Object> RpcFuture<T> endWhenDone(RpcFuture<T> future) {
        return future;
    }

    @Override
    public Runnable detach() {
        return () -> {};
    }

    @Override
    public void close() {}
}
