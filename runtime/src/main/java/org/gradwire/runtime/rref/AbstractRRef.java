package org.gradwire.runtime.rref;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.ReferentCalls;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.runtime.function.CallOptions;
import org.gradwire.runtime.function.RuntimeOperators;
import org.jspecify.annotations.Nullable;

import java.io.NotSerializableException;
import java.io.ObjectOutputStream;
import java.io.Serializable;
import java.time.Duration;

/** A handle of either side. */
@SuppressWarnings("serial") // it is none of its fields that make it impossible
abstract sealed class AbstractRRef<T extends @Nullable Object> implements RRef<T>, Serializable
        permits OwnerRRef, UserRRef {
    private final RRefHost host;
    private volatile @Nullable RpcFuture<String> typeName;

    AbstractRRef(RRefHost host) {
        this.host = host;
    }

    /** Enter a fork of this reference for a worker that it is about to be sent to. */
    abstract ForkData fork(int destination);

    @Override
    public <R extends @Nullable Object> RpcFuture<R> rpcAsync(Call<R> method) {
        return host.rpcAsync(this, method, CallOptions.NONE);
    }

    @Override
    public <R extends @Nullable Object> R rpcSync(Call<R> method) {
        return host.<R>rpcSync(this, method, CallOptions.NONE);
    }

    @Override
    public <R extends @Nullable Object> RRef<R> remote(Call<R> method) {
        return host.remote(this, method, CallOptions.NONE);
    }

    @Override
    public ReferentCalls<T> withTimeout(Duration timeout) {
        return new Tuned<>(host, this, CallOptions.NONE.withTimeout(timeout));
    }

    @Override
    public ReferentCalls<T> withRetry(RetryPolicy policy) {
        return new Tuned<>(host, this, CallOptions.NONE.withRetry(policy));
    }

    @Override
    public RpcFuture<String> typeNameAsync() {
        RpcFuture<String> asked = typeName;
        if (asked == null) {
            asked = rpcAsync(RuntimeOperators::typeName);
            typeName = asked;
            asked.onDone(this::forgetFailure);
        }
        return asked;
    }

    /** The next one who asks may have more luck. */
    private void forgetFailure(RpcFuture<String> answered) {
        try {
            answered.value();
        } catch (RuntimeException _) {
            typeName = null;
        }
    }

    /** A reference outside messages would be one that its owner does not know of. */
    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw new NotSerializableException(
                host.inScript()
                        ? "RRef jit pickling is only allowed inside RPC calls."
                        : "Can not pickle rref in python pickler, rref can only be pickled when using RPC: "
                                + this);
    }

    private Object readResolve() throws NotSerializableException {
        throw new NotSerializableException(
                "Can not unpickle rref in python pickler, rref can only be unpickled when using RPC");
    }

    /** The calls of a reference, with a timeout, or a policy, of their own. */
    private record Tuned<T extends @Nullable Object>(
            RRefHost host, RRef<T> referent, CallOptions options) implements ReferentCalls<T> {

        @Override
        public <R extends @Nullable Object> RpcFuture<R> rpcAsync(Call<R> method) {
            return host.rpcAsync(referent, method, options);
        }

        @Override
        public <R extends @Nullable Object> R rpcSync(Call<R> method) {
            return host.<R>rpcSync(referent, method, options);
        }

        @Override
        public <R extends @Nullable Object> RRef<R> remote(Call<R> method) {
            return host.remote(referent, method, options);
        }

        @Override
        public ReferentCalls<T> withTimeout(Duration timeout) {
            return new Tuned<>(host, referent, options.withTimeout(timeout));
        }

        @Override
        public ReferentCalls<T> withRetry(RetryPolicy policy) {
            return new Tuned<>(host, referent, options.withRetry(policy));
        }
    }
}
