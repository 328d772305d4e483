package org.gradwire.runtime;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcCalls;
import org.gradwire.rpc.RpcFuture;
import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** Calls with a timeout of their own. */
record TimedCalls(WorkerCalls calls, Duration timeout) implements RpcCalls {

    @Override
    public <R extends @Nullable Object> RpcFuture<R> rpcAsync(String to, Call<R> call) {
        return calls.rpcAsync(calls.destination(to), call, null, timeout);
    }

    @Override
    public <R extends @Nullable Object> R rpcSync(String to, Call<R> call) {
        return calls.<R>rpcSync(calls.destination(to), call, null, timeout);
    }

    @Override
    public <R extends @Nullable Object> RRef<R> remote(String to, Call<R> call) {
        return calls.remote(calls.destination(to), call, null, timeout);
    }

    @Override
    public RpcCalls withTimeout(Duration other) {
        return new TimedCalls(calls, WorkerCalls.nonNegative(other));
    }
}
