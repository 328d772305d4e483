package org.gradwire.runtime.rref;

import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.function.CallOptions;
import org.jspecify.annotations.Nullable;

import java.lang.ref.Cleaner;
import java.lang.ref.Reference;
import java.time.Duration;

/**
 * A handle on a worker that does not own the value. The owner is notified when it is closed or
 * becomes unreachable.
 */
@SuppressWarnings("serial") // writing one fails, whatever its fields are
public final class UserRRef<T extends @Nullable Object> extends AbstractRRef<T> {
    private final RRefContext context;
    private final UserState state;
    private final Cleaner.Cleanable cleanable;

    UserRRef(RRefContext context, UserState state, Cleaner cleaner) {
        super(context.host());
        this.context = context;
        this.state = state;
        this.cleanable = cleaner.register(this, () -> context.release(state));
    }

    UserState state() {
        return state;
    }

    @Override
    ForkData fork(int destination) {
        requireOpen(UserState.NOT_SENDABLE);
        try {
            return context.forkUser(state, destination);
        } finally {
            Reference.reachabilityFence(this); // reachable until the fork is added
        }
    }

    @Override
    @Nullable DeletionReason deletion() {
        DeletionReason reason = super.deletion();
        return reason == null && state.released ? DeletionReason.SHUTDOWN : reason;
    }

    @Override
    void release() {
        cleanable.clean();
    }

    @Override
    void onLifetimeChanged(HandleLifetime now) {
        context.onLifetimeChanged(state, now);
    }

    @Override
    public boolean isOwner() {
        return false;
    }

    @Override
    public boolean confirmedByOwner() {
        return context.isConfirmed(state);
    }

    @Override
    public RpcFuture<@Nullable Void> confirmation() {
        return state.confirmed;
    }

    @Override
    public WorkerInfo owner() {
        return state.owner;
    }

    @Override
    public T toHere() {
        return fetch(null);
    }

    @Override
    public T toHere(Duration timeout) {
        return fetch(CallOptions.positive(timeout));
    }

    @SuppressWarnings({
        "unchecked",
        "NullAway"
    }) // the value is the T that the reference was made for
    private T fetch(@Nullable Duration timeout) {
        requireOpen("Cannot call toHere() on it after deletion.");
        try {
            return (T) context.fetch(state, timeout);
        } finally {
            Reference.reachabilityFence(this); // reachable until the value is read
        }
    }

    @Override
    public T localValue() {
        throw context.notOwner(state);
    }

    @Override
    public String toString() {
        return state.toString();
    }
}
