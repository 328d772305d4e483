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
 * The users' side of the protocol: the references that this worker holds to values of others. Each
 * is deleted once, when its handle is gone, its owner knows of it, and the owner knows of all forks
 * that were made of it.
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

    /** A fork that was sent and not yet accepted; its parent stays alive until then. */
    private record PendingChild(UserState parent, int destination) {}

    UsedReferences(RRefHost host) {
        this.host = host;
        this.deletions = new Deletions(this::tell, host.time());
    }

    /** Enter a reference that its owner does not know of yet. */
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
     * End the pending time of a user.
     *
     * @param failure null when the owner knows of it
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
     * Enter a fork that is about to be sent from here.
     *
     * @throws RpcException when the reference was given up
     */
    synchronized void addChild(UserState parent, GloballyUniqueId forkId, int destination) {
        if (parent.released) {
            throw parent.deleted("Cannot call fork an UserRRef after deletion.");
        }
        parent.pendingChildren++;
        pendingChildren.put(forkId, new PendingChild(parent, destination));
    }

    /**
     * The owner knows of a child.
     *
     * @throws RpcException when the child was sent to another worker than the one that says so
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

    /** The owner knows of a child, or there is none: its parent need not stay for it any more. */
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

    /** The handle of a user was closed or collected. */
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
        host.beginUnsent(); // before others see that it is gone
        return true;
    }

    private void sendDelete(UserState state) {
        queue(state.owner.id(), state.rrefId, state.forkId);
    }

    /** Take back a fork of which the owner may know already. */
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

    /** A worker is lost: it will neither confirm references nor accept forks. */
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
    synchronized boolean awaitSettled(Patience patience) {
        return patience.await(this, () -> pendingUsers == 0 && pendingChildren.isEmpty());
    }

    /** Give all references up at once, whether or not their handles are gone, and say which. */
    void releaseAll() {
        List<UserState> all;
        synchronized (this) {
            all = List.copyOf(users.values());
        }
        OpenReferences.report(host.self(), open());
        all.forEach(this::release);
        deletions.flush();
    }

    /** {@return the references that the program is to close and has not closed} */
    synchronized List<UserState> open() {
        return users.values().stream().filter(state -> state.programs && !state.released).toList();
    }

    /** Forget everything; from now on nothing is sent. Whoever waits for a confirmation fails. */
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
