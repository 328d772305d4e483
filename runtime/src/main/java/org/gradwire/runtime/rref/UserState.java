package org.gradwire.runtime.rref;

import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.future.CallFuture;
import org.jspecify.annotations.Nullable;

/**
 * The state of a reference to a value of another worker. It does not refer to the handle, so that
 * the handle can become unreachable.
 */
final class UserState {
    /** The error's sentence about the consequence if a deleted reference is sent or called. */
    static final String NOT_SENDABLE = "It cannot be sent or called after deletion.";

    final GloballyUniqueId rrefId;
    final GloballyUniqueId forkId;
    final WorkerInfo owner;
    final RRefType type;

    /** Completes when the owner knows of this fork, or fails. */
    final CallFuture<@Nullable Void> confirmed;

    /** The line of the program that created it; null if not recorded. */
    volatile @Nullable String site;

    /** True if the program must close it, rather than a call or a value. */
    volatile boolean programs = true;

    /** True if the handle or the worker has released it. Writes are guarded. */
    volatile boolean released;

    // The rest is guarded by UsedReferences.
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
