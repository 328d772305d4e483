package org.gradwire.runtime.rref;

import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RRefCalls;
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

/** A handle to a value, on its owner or on a user. */
@SuppressWarnings("serial") // serialization fails for another reason than its fields
abstract sealed class AbstractRRef<T extends @Nullable Object> implements RRef<T>, Serializable
        permits OwnerRRef, UserRRef {
    private final RRefHost host;
    private volatile @Nullable RpcFuture<String> typeName;
    private volatile @Nullable DeletionReason deleted;
    private HandleLifetime handleLifetime = HandleLifetime.PROGRAM; // guarded by this

    AbstractRRef(RRefHost host) {
        this.host = host;
    }

    /** Create a fork of this reference for the worker that it is sent to. */
    abstract ForkData fork(int destination);

    /** Release the handle; called once. */
    abstract void release();

    /** Called when the lifetime of the handle changes. */
    abstract void onLifetimeChanged(HandleLifetime now);

    /** {@return the reason why the handle is closed; null while it is open} */
    @Nullable DeletionReason deletion() {
        return deleted;
    }

    /**
     * Check that the handle is open.
     *
     * @throws RpcException when it is not
     */
    final void requireOpen(String consequence) {
        DeletionReason reason = deletion();
        if (reason != null) {
            throw new RpcException(this + " has been deleted. " + consequence + reason.sentence());
        }
    }

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
            requireOpen("It can no longer be retained.");
            handleLifetime = HandleLifetime.PROGRAM;
            onLifetimeChanged(handleLifetime);
        }
        return this;
    }

    /** Limit the lifetime of the handle to a call. */
    final synchronized void lend() {
        handleLifetime = HandleLifetime.CALL;
        onLifetimeChanged(handleLifetime);
    }

    /** Limit the lifetime of the handle to the time until it is sent. */
    final synchronized void moveToMessage() {
        handleLifetime = HandleLifetime.MESSAGE;
        onLifetimeChanged(handleLifetime);
    }

    /**
     * Change the lifetime of the handle from a call to a value.
     *
     * @return false if its lifetime is no longer that of a call
     */
    final synchronized boolean moveToValue() {
        if (handleLifetime != HandleLifetime.CALL || deleted != null) {
            return false;
        }
        handleLifetime = HandleLifetime.VALUE;
        onLifetimeChanged(handleLifetime);
        return true;
    }

    /** Close the handle if it has this lifetime. */
    final void endTenure(HandleLifetime ended) {
        synchronized (this) {
            if (handleLifetime != ended || deleted != null) {
                return;
            }
            deleted =
                    switch (ended) {
                        case PROGRAM -> DeletionReason.CLOSED;
                        case CALL -> DeletionReason.CALL_ENDED;
                        case VALUE -> DeletionReason.VALUE_GONE;
                        case MESSAGE -> DeletionReason.SENT;
                    };
        }
        release();
    }

    @Override
    public <R extends @Nullable Object> RpcFuture<R> rpcAsync(Call<R> method) {
        requireOpen(UserState.NOT_SENDABLE);
        return host.rpcAsync(this, method, CallOptions.NONE);
    }

    @Override
    public <R extends @Nullable Object> R rpcSync(Call<R> method) {
        requireOpen(UserState.NOT_SENDABLE);
        return host.<R>rpcSync(this, method, CallOptions.NONE);
    }

    @Override
    public <R extends @Nullable Object> RRef<R> remote(Call<R> method) {
        requireOpen(UserState.NOT_SENDABLE);
        return host.remote(this, method, CallOptions.NONE);
    }

    @Override
    public RRefCalls<T> withTimeout(Duration timeout) {
        return new Tuned<>(host, this, CallOptions.NONE.withTimeout(timeout));
    }

    @Override
    public RRefCalls<T> withoutTimeout() {
        return new Tuned<>(host, this, CallOptions.NONE.withoutTimeout());
    }

    @Override
    public RRefCalls<T> withRetry(RetryPolicy policy) {
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

    /** Forget a failed request, so that the next one queries the owner again. */
    private void forgetFailure(RpcFuture<String> reply) {
        try {
            reply.value();
        } catch (RuntimeException _) {
            typeName = null;
        }
    }

    /** Fails, since the owner would not know of a reference outside messages. */
    private void writeObject(ObjectOutputStream out) throws NotSerializableException {
        throw new NotSerializableException(
                "RRef serialization is only allowed inside RPC calls: " + this);
    }

    private Object readResolve() throws NotSerializableException {
        throw new NotSerializableException("RRef deserialization is only allowed inside RPC calls");
    }

    /** The calls of a reference with their own timeout or retry policy. */
    private record Tuned<T extends @Nullable Object>(
            RRefHost host, AbstractRRef<T> referent, CallOptions options) implements RRefCalls<T> {

        @Override
        public <R extends @Nullable Object> RpcFuture<R> rpcAsync(Call<R> method) {
            referent.requireOpen(UserState.NOT_SENDABLE);
            return host.rpcAsync(referent, method, options);
        }

        @Override
        public <R extends @Nullable Object> R rpcSync(Call<R> method) {
            referent.requireOpen(UserState.NOT_SENDABLE);
            return host.<R>rpcSync(referent, method, options);
        }

        @Override
        public <R extends @Nullable Object> RRef<R> remote(Call<R> method) {
            referent.requireOpen(UserState.NOT_SENDABLE);
            return host.remote(referent, method, options);
        }

        @Override
        public RRefCalls<T> withTimeout(Duration timeout) {
            return new Tuned<>(host, referent, options.withTimeout(timeout));
        }

        @Override
        public RRefCalls<T> withoutTimeout() {
            return new Tuned<>(host, referent, options.withoutTimeout());
        }

        @Override
        public RRefCalls<T> withRetry(RetryPolicy policy) {
            return new Tuned<>(host, referent, options.withRetry(policy));
        }
    }
}
