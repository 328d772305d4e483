package org.gradwire.runtime.rref;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.ReferentCalls;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.RpcException;
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
    private volatile @Nullable DeletionReason deleted;
    private Tenure tenure = Tenure.PROGRAM; // guarded by this

    AbstractRRef(RRefHost host) {
        this.host = host;
    }

    /** Enter a fork of this reference for a worker that it is about to be sent to. */
    abstract ForkData fork(int destination);

    /** Give up what the handle holds; called once. */
    abstract void release();

    /** Learn who decides how long the handle is open. */
    abstract void tenureChanged(Tenure now);

    /** {@return why the handle is of no use any more; null while it is open} */
    @Nullable DeletionReason deletion() {
        return deleted;
    }

    /**
     * Refuse to use a handle that is not open.
     *
     * @throws RpcException when it is not
     */
    final void requireOpen(String consequence) {
        DeletionReason reason = deletion();
        if (reason != null) {
            throw new RpcException(this + " has been deleted. " + consequence + reason.sentence());
        }
    }

    /** {@return the rest of the error when a deleted reference is sent} */
    abstract String noFork();

    @Override
    public final void close() {
        synchronized (this) {
            if (deleted != null) {
                return;
            }
            deleted = DeletionReason.CLOSED;
        }
        release();
    }

    @Override
    public final RRef<T> retain() {
        synchronized (this) {
            requireOpen("It cannot be retained any more.");
            tenure = Tenure.PROGRAM;
            tenureChanged(tenure);
        }
        return this;
    }

    /** Let the handle be open for as long as a call. */
    final synchronized void lend() {
        tenure = Tenure.CALL;
        tenureChanged(tenure);
    }

    /**
     * Let a handle that is open for as long as a call be so for as long as a value.
     *
     * @return false when it is not the call's any more
     */
    final synchronized boolean moveToValue() {
        if (tenure != Tenure.CALL || deleted != null) {
            return false;
        }
        tenure = Tenure.VALUE;
        tenureChanged(tenure);
        return true;
    }

    /** Give the handle up if it was open for this only. */
    final void endTenure(Tenure ended) {
        synchronized (this) {
            if (tenure != ended || deleted != null) {
                return;
            }
            deleted = ended == Tenure.CALL ? DeletionReason.CALL_ENDED : DeletionReason.VALUE_GONE;
        }
        release();
    }

    @Override
    public <R extends @Nullable Object> RpcFuture<R> rpcAsync(Call<R> method) {
        requireOpen(noFork());
        return host.rpcAsync(this, method, CallOptions.NONE);
    }

    @Override
    public <R extends @Nullable Object> R rpcSync(Call<R> method) {
        requireOpen(noFork());
        return host.<R>rpcSync(this, method, CallOptions.NONE);
    }

    @Override
    public <R extends @Nullable Object> RRef<R> remote(Call<R> method) {
        requireOpen(noFork());
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
            RRefHost host, AbstractRRef<T> referent, CallOptions options)
            implements ReferentCalls<T> {

        @Override
        public <R extends @Nullable Object> RpcFuture<R> rpcAsync(Call<R> method) {
            referent.requireOpen(referent.noFork());
            return host.rpcAsync(referent, method, options);
        }

        @Override
        public <R extends @Nullable Object> R rpcSync(Call<R> method) {
            referent.requireOpen(referent.noFork());
            return host.<R>rpcSync(referent, method, options);
        }

        @Override
        public <R extends @Nullable Object> RRef<R> remote(Call<R> method) {
            referent.requireOpen(referent.noFork());
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
