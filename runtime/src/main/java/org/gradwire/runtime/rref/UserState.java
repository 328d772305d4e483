package org.gradwire.runtime.rref;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.future.CallFuture;
import org.jspecify.annotations.Nullable;

/**
 * A reference that this worker holds to a value of another. It knows nothing of the handle that
 * programs hold, so that the handle can become unreachable.
 */
final class UserState {
    final GloballyUniqueId rrefId;
    final GloballyUniqueId forkId;
    final WorkerInfo owner;
    final RRefType type;

    /** Completes when the owner knows of this fork, or cannot be told. */
    final CallFuture<@Nullable Void> confirmed;

    /** Where the program made it, when that is kept. */
    volatile @Nullable String site;

    /** Whether the program is to close it, and not a call or a value. */
    volatile boolean programs = true;

    /** Whether the handle is gone, or its worker has given it up. Guarded for writing. */
    volatile boolean released;

    // The rest is guarded by the used references.
    boolean pending = true;
    int pendingChildren;
    boolean deleted;
    @Nullable RuntimeException creationFailure;

    UserState(
            ForkData fork,
            WorkerInfo owner,
            CallFuture<@Nullable Void> confirmed,
            @Nullable String site) {
        this.site = site;
        this.rrefId = fork.rrefId();
        this.forkId = fork.forkId();
        this.owner = owner;
        this.type = fork.type();
        this.confirmed = confirmed;
    }

    boolean mayBeDeleted() {
        return released && !pending && pendingChildren == 0 && !deleted;
    }

    RpcException deleted(String consequence) {
        return new RpcException(this + " has been deleted. " + consequence);
    }

    @Override
    public String toString() {
        return "UserRRef(RRefId = %s, ForkId = %s)".formatted(rrefId, forkId);
    }
}
