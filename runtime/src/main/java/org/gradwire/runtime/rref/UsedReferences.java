package org.gradwire.runtime.rref;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The users' side of the protocol: the references of this worker to values of others. Each is
 * deleted once: when its handle is closed, and its owner knows of it and of all its children.
 *
 * <p>All state is guarded by this object; messages are sent and futures completed without holding
 * it.
 */
final class UsedReferences {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.rref");

    private final RRefHost host;
    private final Deletions deletions;
    private final Map<GloballyUniqueId, UserState> users = new HashMap<>(); // by fork id
    private final Map<GloballyUniqueId, PendingChild> pendingChildren =
            new HashMap<>(); // by the child's fork id
    private int pendingUsers;
    private boolean destroyed;

    /** A fork that was sent and is not accepted yet; its parent stays alive until then. */
    private record PendingChild(UserState parent, int destination) {}

    UsedReferences(RRefHost host) {
        this.host = host;
        this.deletions = new Deletions(this::tell, host.time());
    }

    /** Add a reference that its owner does not know of yet. */
    UserState enter(ForkData fork, WorkerInfo owner) {
        var state = new UserState(fork, owner, host.newFuture(), host.creationSite());
        synchronized (this) {
            users.put(state.forkId, state);
            pendingUsers++;
        }
        return state;
    }

    synchronized @Nullable UserState find(GloballyUniqueId forkId) {
        return users.get(forkId);
    }

    /**
     * Confirm a reference, or fail it.
     *
     * @param failure null if the owner knows of it
     */
    void settle(UserState state, @Nullable RuntimeException failure) {
        boolean delete;
        synchronized (this) {
            if (!state.pending) {
                return;
            }
            state.pending = false;
            state.creationFailure = failure;
            pendingUsers -= destroyed ? 0 : 1;
            delete = takeForDeletion(state);
            notifyAll();
        }
        if (failure == null) {
            state.confirmed.complete(null);
        } else {
            LOGGER.log(
                    System.Logger.Level.DEBUG,
                    "{0} is not known to its owner: {1}",
                    state,
                    failure.getMessage());
            state.confirmed.fail(failure);
        }
        if (delete) {
            sendDelete(state);
        }
    }

    synchronized boolean isConfirmed(UserState state) {
        return !state.pending && state.creationFailure == null;
    }

    synchronized @Nullable RuntimeException creationFailure(UserState state) {
        return state.creationFailure;
    }

    /**
     * Add a fork that is sent from here.
     *
     * @throws RpcException when the reference was deleted
     */
    synchronized void addChild(UserState parent, GloballyUniqueId forkId, int destination) {
        if (parent.released) {
            throw parent.deleted(UserState.NOT_SENDABLE);
        }
        parent.pendingChildren++;
        pendingChildren.put(forkId, new PendingChild(parent, destination));
    }

    /**
     * Accept a child, which the owner knows of.
     *
     * @throws RpcException if the child was not sent to the worker that accepts it
     */
    void onChildAccepted(int from, GloballyUniqueId forkId) {
        synchronized (this) {
            PendingChild child = pendingChildren.get(forkId);
            if (child != null && child.destination != from) {
                throw new RpcException(
                        RpcErrorKind.REFUSED,
                        "the fork %s was not sent to worker %d".formatted(forkId, from));
            }
        }
        removeChild(forkId);
    }

    /**
     * Remove a child that is known to its owner, or was not delivered, so that its parent can be
     * deleted.
     */
    void removeChild(GloballyUniqueId forkId) {
        UserState toDelete = null;
        synchronized (this) {
            PendingChild child = pendingChildren.remove(forkId);
            if (child != null) {
                child.parent.pendingChildren--;
                if (takeForDeletion(child.parent)) {
                    toDelete = child.parent;
                }
                notifyAll();
            }
        }
        if (toDelete != null) {
            sendDelete(toDelete);
        }
    }

    /** Delete a reference whose handle was closed or collected. */
    void release(UserState state) {
        boolean delete;
        synchronized (this) {
            state.released = true;
            delete = takeForDeletion(state);
        }
        if (delete) {
            sendDelete(state);
        }
    }

    private boolean takeForDeletion(UserState state) {
        if (destroyed || !state.mayBeDeleted()) {
            return false;
        }
        state.deleted = true;
        users.remove(state.forkId);
        host.beginUnsent(); // before others see the deletion
        return true;
    }

    private void sendDelete(UserState state) {
        queue(state.owner.id(), state.rrefId, state.forkId);
    }

    /** Delete a fork that the owner may know already. */
    void sendDelete(ForkData fork) {
        host.beginUnsent();
        queue(fork.owner(), fork.rrefId(), fork.forkId());
    }

    private void queue(int owner, GloballyUniqueId rrefId, GloballyUniqueId forkId) {
        deletions.send(owner, new Deletions.Fork(rrefId, forkId));
    }

    private CallFuture<@Nullable Void> tell(int owner, List<Deletions.Fork> gone) {
        CallFuture<@Nullable Void> told;
        try {
            told =
                    host.sendControl(
                            owner,
                            MessageTypes.RREF_USER_DELETE,
                            out -> Deletions.Fork.writeAll(gone, out));
        } catch (RuntimeException e) {
            gone.forEach(_ -> host.endUnsent());
            throw e;
        }
        told.whenEnded((_, _) -> gone.forEach(_ -> host.endUnsent()));
        return told;
    }

    /** Fail the confirmations of a lost worker, and drop the forks that it has not accepted. */
    void onPeerLost(int peer, RpcException reason) {
        List<UserState> unconfirmed;
        List<GloballyUniqueId> orphans = new ArrayList<>();
        synchronized (this) {
            users.values().stream()
                    .filter(state -> state.owner.id() == peer && state.creationFailure == null)
                    .forEach(state -> state.creationFailure = reason);
            pendingChildren.forEach((forkId, child) -> {
                if (child.destination == peer || child.parent.owner.id() == peer) {
                    orphans.add(forkId);
                }
            });
            unconfirmed =
                    users.values().stream()
                            .filter(state -> state.pending && state.owner.id() == peer)
                            .toList();
        }
        orphans.forEach(this::removeChild);
        unconfirmed.forEach(state -> settle(state, reason));
    }

    /**
     * Wait until the owners know of all references and forks.
     *
     * @return whether they do
     */
    synchronized boolean awaitSettled(ReleaseTimeout releaseTimeout) {
        return releaseTimeout.await(this, () -> pendingUsers == 0 && pendingChildren.isEmpty());
    }

    /** Delete all references, and report those that the program has not closed. */
    void releaseAll() {
        List<UserState> all;
        synchronized (this) {
            all = List.copyOf(users.values());
        }
        OpenReferences.report(host.self(), open());
        all.forEach(this::release);
        deletions.flush();
    }

    /** {@return the references that the program must close and has not closed} */
    synchronized List<UserState> open() {
        return users.values().stream().filter(state -> state.programs && !state.released).toList();
    }

    /** Drop all references, and fail their confirmations. No further messages are sent. */
    void destroy() {
        List<UserState> all;
        synchronized (this) {
            destroyed = true;
            all = List.copyOf(users.values());
            all.forEach(state -> state.released = true);
            users.clear();
            pendingChildren.clear();
            deletions.stop();
            pendingUsers = 0;
            notifyAll();
        }
        all.forEach(state ->
                settle(
                        state,
                        new RpcException(
                                RpcErrorKind.SHUTDOWN,
                                "the worker was shut down before the owner of %s had confirmed it"
                                        .formatted(state))));
    }

    synchronized int pending() {
        return pendingUsers;
    }
}
