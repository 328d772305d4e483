package org.gradwire.runtime.rref;

import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.function.CallOptions;
import org.jspecify.annotations.Nullable;

import java.time.Duration;

/** A handle on the owner of the value. Handles to the same value are equal. */
@SuppressWarnings("serial") // writing one fails, whatever its fields are
public final class OwnerRRef<T extends @Nullable Object> extends AbstractRRef<T> {
    private final RRefContext context;
    private final OwnerState state;

    OwnerRRef(RRefContext context, OwnerState state) {
        super(context.host());
        this.context = context;
        this.state = state;
    }

    @Override
    ForkData fork(int destination) {
        requireOpen(UserState.NOT_SENDABLE);
        return context.forkOwned(state, destination);
    }

    @Override
    void release() {
        context.handleClosed(state);
    }

    @Override
    void onLifetimeChanged(HandleLifetime now) {}

    @Override
    public boolean isOwner() {
        return true;
    }

    @Override
    public boolean confirmedByOwner() {
        return true;
    }

    @Override
    public RpcFuture<@Nullable Void> confirmation() {
        return context.confirmation(state);
    }

    @Override
    public WorkerInfo owner() {
        return context.self();
    }

    @Override
    public T toHere() {
        return localValue();
    }

    @Override
    public T toHere(Duration timeout) {
        CallOptions.positive(timeout);
        return localValue();
    }

    @Override
    @SuppressWarnings({
        "unchecked",
        "NullAway"
    }) // the value is the T that the reference was made for
    public T localValue() {
        requireOpen("Cannot call localValue() on it after deletion.");
        context.throwIfCreationFailed(state);
        return (T) state.value.join();
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof OwnerRRef<?> that && that.state.id.equals(state.id);
    }

    @Override
    public int hashCode() {
        return state.id.hashCode();
    }

    @Override
    public String toString() {
        return "OwnerRRef(" + state.id + ")";
    }
}
