package org.gradwire.runtime.call;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.RpcCalls;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.runtime.function.CallOptions;
import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** Calls with their own timeout or retry policy. */
public record CallsWithOptions(WorkerCalls calls, CallOptions options) implements RpcCalls {

    @Override
    public <R extends @Nullable Object> RpcFuture<R> rpcAsync(String to, Call<R> call) {
        return calls.rpcAsync(calls.destination(to), call, null, options);
    }

    @Override
    public <R extends @Nullable Object> R rpcSync(String to, Call<R> call) {
        return calls.<R>rpcSync(calls.destination(to), call, null, options);
    }

    @Override
    public <R extends @Nullable Object> RRef<R> remote(String to, Call<R> call) {
        return calls.remote(calls.destination(to), call, null, options);
    }

    @Override
    public RpcCalls withTimeout(Duration timeout) {
        return new CallsWithOptions(calls, options.withTimeout(timeout));
    }

    @Override
    public RpcCalls withoutTimeout() {
        return new CallsWithOptions(calls, options.withoutTimeout());
    }

    @Override
    public RpcCalls withRetry(RetryPolicy policy) {
        return new CallsWithOptions(calls, options.withRetry(policy));
    }
}
