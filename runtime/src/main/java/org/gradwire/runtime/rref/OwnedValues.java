package org.gradwire.runtime.rref;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.flow.PeerLimit;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.spi.Output;
import org.gradwire.spi.UntrustedText;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The owner's side of the protocol: keeps each value that this worker owns as long as it has forks.
 *
 * <p>Messages may be late, repeated or out of order. The ids of deleted forks and values are
 * remembered, so that no later message restores them. A value that is dropped before it is created
 * fails the fetches that wait for it.
 *
 * <p>A peer may act only for itself: create values under ids that it drew, and add and delete forks
 * that it holds. Its references to values that do not exist are limited.
 *
 * <p>All state is guarded by this object; futures are completed without holding it.
 */
final class OwnedValues {
    /** Limit of values that one peer refers to before they are requested. */
    static final int MOST_INTRODUCED = 100_000;

    /** Heap of a fork, with its share of the tables of a value. */
    private static final int FORK_HEAP_BYTES = 256;

    private static final int LEAST_FORKS = 10_000;
    private static final int PART_OF_HEAP = 16;
    private static final int SHARES = 2;

    private final RRefHost host;
    private final Map<GloballyUniqueId, OwnerState> owners = new HashMap<>();
    private final Set<Integer> lostPeers = new HashSet<>();

    private final DeletedIds deleted = new DeletedIds();
    private final PeerLimit introduced =
            new PeerLimit("references to values that were never requested", MOST_INTRODUCED);

    private final PeerLimit forks;

    /**
     * Create an empty table, in which the forks of all peers may take an eighth of the heap, and
     * the forks of one peer half of that.
     */
    OwnedValues(RRefHost host) {
        this(
                host,
                Math.clamp(
                        Runtime.getRuntime().maxMemory() / PART_OF_HEAP / FORK_HEAP_BYTES,
                        LEAST_FORKS,
                        Integer.MAX_VALUE));
    }

    OwnedValues(RRefHost host, int mostForks) {
        this.host = host;
        forks = new PeerLimit("references to values", mostForks, (long) SHARES * mostForks);
    }

    /** Add a value that this worker requests from itself. */
    synchronized OwnerState createHere(GloballyUniqueId rrefId, RRefType type) {
        OwnerState state = enter(rrefId, type);
        state.requested = true;
        state.confirmed = host.newFuture();
        state.handles++;
        state.site = host.creationSite();
        // A fork with the value's id represents the request.
        put(state, rrefId, new ForkHolder(self(), false));
        return state;
    }

    /** End the request of this worker to create a value here. */
    void createdHere(GloballyUniqueId rrefId, @Nullable RuntimeException failure) {
        OwnerState state;
        CallFuture<@Nullable Void> confirmed;
        boolean dropped;
        synchronized (this) {
            state = owners.get(rrefId);
            if (state == null) {
                return;
            }
            state.creationFailure = failure;
            confirmed = state.confirmed;
            dropped = remove(state, rrefId);
        }
        if (confirmed != null) {
            confirmed.tryEnd(null, failure);
        }
        // After a timeout the value may still be created, for other holders of forks.
        if (failure != null && (dropped || !CreationFailures.mayStillHappen(failure))) {
            state.value.tryFail(CreationFailures.forUser(failure));
        } else if (dropped) {
            state.value.tryFail(deleted(rrefId));
        }
    }

    private int self() {
        return host.self().id();
    }

    /**
     * Add a value that a peer requests.
     *
     * @return the future to complete with the value
     * @throws RpcException if the creator did not create the ids
     */
    synchronized CallFuture<@Nullable Object> createFor(
            int creator, GloballyUniqueId rrefId, GloballyUniqueId forkId, RRefType type) {
        boolean here = creator == self() && forkId.equals(rrefId);
        if (rrefId.createdOn() != creator || !(here || forkId.isCreationOf(rrefId))) {
            throw refused("worker %d did not create the ids of OwnerRRef(%s)", creator, rrefId);
        }
        boolean givenUp = deleted.contains(creator, forkId) || lostPeers.contains(creator);
        OwnerState state = owners.get(rrefId);
        if (!givenUp) {
            requireRoom(state, forkId, creator);
        }
        if (state == null) {
            if (givenUp) {
                return host.newFuture(); // run the function, drop the result
            }
            state = enter(rrefId, type);
        }
        state.requested = true;
        leaveIntroduced(state);
        state.type = type;
        if (!givenUp) {
            hold(state, forkId, new ForkHolder(creator, false));
        }
        return state.value;
    }

    private static RpcException refused(String text, int worker, GloballyUniqueId id) {
        return new RpcException(RpcErrorKind.REFUSED, text.formatted(worker, id));
    }

    /** Check the limit of forks of a peer, before anything is added for it. */
    private void requireRoom(@Nullable OwnerState state, GloballyUniqueId forkId, int worker) {
        if (worker != self() && (state == null || !state.forks.containsKey(forkId))) {
            forks.requireRoom(worker);
        }
    }

    /** Add a fork of a peer, after the check of its limit. */
    private void hold(OwnerState state, GloballyUniqueId forkId, ForkHolder forkHolder) {
        ForkHolder known = state.forks.get(forkId);
        if (known == null) {
            put(state, forkId, forkHolder);
        } else if (!known.equals(forkHolder)) {
            throw refused("worker %d does not hold the fork %s", forkHolder.worker(), forkId);
        }
    }

    private void put(OwnerState state, GloballyUniqueId forkId, ForkHolder forkHolder) {
        removeFork(state, forkId);
        state.forks.put(forkId, forkHolder);
        if (forkHolder.worker() != self()) {
            forks.add(forkHolder.worker());
        }
    }

    private void removeFork(OwnerState state, GloballyUniqueId forkId) {
        ForkHolder forkHolder = state.forks.remove(forkId);
        if (forkHolder != null) {
            forks.leave(forkHolder.worker());
        }
    }

    /**
     * Return a value that a peer refers to, possibly before it is requested, since messages
     * overtake each other.
     *
     * @throws RpcException if it was deleted, or can no longer be requested
     */
    synchronized OwnerState find(int asker, GloballyUniqueId rrefId, RRefType type) {
        OwnerState state = known(asker, rrefId, type);
        if (!state.requested) {
            state.addAsker(asker);
        }
        return state;
    }

    /** Return a value as {@link #find}, for a handle on this worker. */
    synchronized OwnerState open(int asker, GloballyUniqueId rrefId, RRefType type) {
        OwnerState state = find(asker, rrefId, type);
        state.handles++;
        return state;
    }

    /** Count a closed handle of this worker. */
    synchronized void handleClosed(OwnerState state) {
        state.handles--;
        giveUpKept(state);
    }

    /**
     * Keep references open as long as a value exists.
     *
     * @param references handles of the call that creates the value
     */
    synchronized void keep(GloballyUniqueId rrefId, List<AbstractRRef<?>> references) {
        OwnerState state = owners.get(rrefId);
        if (state != null) {
            keep(state, references);
        }
    }

    /** Keep references open as long as a value exists that is not shared yet. */
    static void keep(OwnerState state, List<AbstractRRef<?>> references) {
        state.keep(references.stream().filter(AbstractRRef::moveToValue).toList());
    }

    /**
     * Close the references that a value kept, and release its resources, if it has neither forks
     * nor handles.
     */
    private void giveUpKept(OwnerState state) {
        if (state.handles == 0 && owners.get(state.id) != state) {
            releaseResource(state);
            List<AbstractRRef<?>> kept = state.takeKept();
            if (!kept.isEmpty()) {
                host.execute(() -> kept.forEach(rref -> rref.endTenure(HandleLifetime.VALUE)));
            }
        }
    }

    private void releaseResource(OwnerState state) {
        state.value.whenEnded((value, _) -> {
            if (value instanceof OwnedResource resource) {
                host.execute(resource::released);
            }
        });
    }

    /** {@return the future of this worker's request for a value; null if there is none} */
    synchronized @Nullable CallFuture<@Nullable Void> confirmed(OwnerState state) {
        return state.confirmed;
    }

    private OwnerState known(int peer, GloballyUniqueId rrefId, RRefType type) {
        OwnerState state = owners.get(rrefId);
        return state == null ? introduce(peer, rrefId, type) : state;
    }

    /**
     * Add a value that a peer refers to before it is requested. A value of this worker itself
     * exists before others know of it.
     */
    private OwnerState introduce(int peer, GloballyUniqueId rrefId, RRefType type) {
        int creator = rrefId.createdOn();
        if (creator == self()
                || deleted.contains(creator, rrefId)
                || lostPeers.contains(creator)
                || lostPeers.contains(peer)) {
            throw deleted(rrefId);
        }
        introduced.enter(peer);
        OwnerState state = enter(rrefId, type);
        state.introducer = peer;
        return state;
    }

    private void leaveIntroduced(OwnerState state) {
        if (state.introducer >= 0) {
            introduced.leave(state.introducer);
            state.introducer = -1;
        }
    }

    private OwnerState enter(GloballyUniqueId rrefId, RRefType type) {
        return owners.computeIfAbsent(rrefId, id -> new OwnerState(id, type, host.newFuture()));
    }

    static RpcException deleted(GloballyUniqueId rrefId) {
        return new RpcException(
                "OwnerRRef("
                        + rrefId
                        + ") has been deleted. Cannot call toHere() on it after deletion.");
    }

    /** {@return the type of an owned value; null if there is none with this id} */
    synchronized @Nullable RRefType typeOf(GloballyUniqueId rrefId) {
        OwnerState state = owners.get(rrefId);
        return state == null ? null : state.type;
    }

    /** {@return the type of an owned value} */
    synchronized RRefType typeOf(OwnerState state) {
        return state.type;
    }

    /** Add a fork that is sent from here, or written into bytes. */
    synchronized void addFork(OwnerState state, GloballyUniqueId forkId, int destination) {
        owners.putIfAbsent(state.id, state);
        // The value was sent before, deleted by all users, and is sent again.
        deleted.remove(state.id.createdOn(), state.id);
        boolean inBytes = destination == Output.NOWHERE;
        put(state, forkId, new ForkHolder(inBytes ? self() : destination, inBytes));
    }

    /**
     * Add a fork that a user received from another user.
     *
     * @throws RpcException if the value was deleted because the sender is lost, or the fork belongs
     *     to another peer
     */
    synchronized void onForkRequest(
            int from, GloballyUniqueId rrefId, GloballyUniqueId forkId, RRefType type) {
        if (forkId.createdOn() == self() || forkId.isCreationOf(rrefId)) {
            throw refused("worker %d was not sent the fork %s by a user", from, forkId);
        }
        if (!deleted.contains(from, forkId) && !lostPeers.contains(from)) {
            requireRoom(owners.get(rrefId), forkId, from);
            hold(known(from, rrefId, type), forkId, new ForkHolder(from, false));
        }
    }

    /** Add a fork that a user has written into bytes. */
    synchronized void onSaved(
            int from, GloballyUniqueId rrefId, GloballyUniqueId savedId, RRefType type) {
        requireDrawnBy(from, rrefId, savedId);
        if (!deleted.contains(from, savedId)) {
            requireRoom(owners.get(rrefId), savedId, from);
            hold(known(from, rrefId, type), savedId, new ForkHolder(from, true));
        }
    }

    private static void requireDrawnBy(int from, GloballyUniqueId rrefId, GloballyUniqueId forkId) {
        if (forkId.createdOn() != from || forkId.isCreationOf(rrefId)) {
            throw refused("worker %d did not create the fork %s for bytes", from, forkId);
        }
    }

    /**
     * Replace the fork in bytes by a fork of the worker that has loaded them.
     *
     * @return false if the bytes were read before, or are unknown
     */
    synchronized boolean onLoaded(
            int from, GloballyUniqueId rrefId, GloballyUniqueId savedId, GloballyUniqueId forkId) {
        requireDrawnBy(from, rrefId, forkId);
        OwnerState state = owners.get(rrefId);
        var loader = new ForkHolder(from, false);
        boolean cameBefore =
                deleted.contains(from, forkId)
                        || (state != null && loader.equals(state.forks.get(forkId)));
        if (cameBefore || lostPeers.contains(from)) {
            return true;
        }
        ForkHolder saver = saver(state, savedId);
        if (state == null || saver == null) {
            return false;
        }
        requireRoom(state, forkId, from);
        hold(state, forkId, loader);
        removeFork(state, savedId);
        deleted.add(saver.worker(), savedId);
        return true;
    }

    /** {@return the holder of a fork in bytes; null if there is none} */
    private static @Nullable ForkHolder saver(
            @Nullable OwnerState state, GloballyUniqueId savedId) {
        ForkHolder forkHolder = state == null ? null : state.forks.get(savedId);
        return forkHolder != null && forkHolder.inBytes() ? forkHolder : null;
    }

    /**
     * Remove the fork in bytes that this worker has loaded.
     *
     * @return its value; null if the bytes were read before, or are unknown
     */
    @Nullable OwnerState loadHere(GloballyUniqueId rrefId, GloballyUniqueId savedId) {
        OwnerState state;
        synchronized (this) {
            state = owners.get(rrefId);
            ForkHolder saver = saver(state, savedId);
            if (state == null || saver == null) {
                return null;
            }
            if (!state.requested) {
                state.addAsker(saver.worker()); // the caller waits until the value exists
            }
            deleted.add(saver.worker(), savedId);
            removeFork(state, savedId);
            state.handles++;
            dropIfUnused(state);
        }
        return state;
    }

    /** Remove a fork that this worker drew and that was not delivered. */
    void removeOwnFork(GloballyUniqueId rrefId, GloballyUniqueId forkId) {
        OwnerState state;
        boolean dropped;
        synchronized (this) {
            state = owners.get(rrefId);
            dropped = state != null && remove(state, forkId);
        }
        if (state != null && dropped) {
            state.value.tryFail(deleted(rrefId));
        }
    }

    /**
     * Remove a deleted fork. When the creator deletes its own fork before the value is requested,
     * the value is abandoned: the request has failed.
     *
     * @throws RpcException if it belongs to another peer
     */
    void onUserDeleted(int from, GloballyUniqueId rrefId, GloballyUniqueId forkId) {
        OwnerState state;
        boolean unmade;
        synchronized (this) {
            state = owners.get(rrefId);
            boolean creators = rrefId.createdOn() != self() && forkId.isCreationOf(rrefId);
            ForkHolder forkHolder = state == null ? null : state.forks.get(forkId);
            boolean anothers = forkHolder != null && forkHolder.worker() != from;
            if (anothers || (creators && rrefId.createdOn() != from)) {
                throw refused("worker %d does not hold the fork %s", from, forkId);
            }
            deleted.add(from, forkId);
            if (state == null) {
                if (creators) {
                    deleted.add(from, rrefId);
                }
                return;
            }
            state.abandoned |= creators && !state.requested;
            removeFork(state, forkId);
            unmade = dropIfUnused(state) || state.abandoned;
        }
        if (unmade) {
            state.value.tryFail(deleted(rrefId));
        }
    }

    private boolean remove(OwnerState state, GloballyUniqueId forkId) {
        deleted.add(self(), forkId);
        removeFork(state, forkId);
        return dropIfUnused(state);
    }

    private boolean dropIfUnused(OwnerState state) {
        if (state.mayBeForgotten()) {
            return take(state);
        }
        return state.mayBeDropped() && drop(state);
    }

    private boolean drop(OwnerState state) {
        deleted.add(state.id.createdOn(), state.id);
        return take(state);
    }

    private boolean take(OwnerState state) {
        leaveIntroduced(state);
        boolean taken = owners.remove(state.id, state);
        giveUpKept(state);
        notifyAll();
        return taken;
    }

    synchronized @Nullable RuntimeException creationFailure(OwnerState state) {
        return state.creationFailure;
    }

    /** Forget the state of an earlier worker with the id. */
    synchronized void onPeerJoined(int peer) {
        lostPeers.remove(peer);
    }

    /** Remove the forks of a lost worker, and the values that it has not requested yet. */
    void onPeerLost(int peer, RuntimeException reason) {
        List<OwnerState> ended = new ArrayList<>();
        synchronized (this) {
            lostPeers.add(peer);
            deleted.forget(peer);
            introduced.forget(peer);
            forks.forget(peer);
            for (OwnerState state : List.copyOf(owners.values())) {
                state.abandoned |= state.id.createdOn() == peer && !state.requested;
                boolean unmade =
                        !state.requested; // bytes with such a value do not outlive their writer
                state.forks
                        .values()
                        .removeIf(forkHolder ->
                                forkHolder.isWorker(peer)
                                        || (unmade && forkHolder.worker() == peer));
                state.removeAsker(peer);
                if (dropIfUnused(state) || state.abandoned) {
                    ended.add(state);
                }
            }
        }
        ended.forEach(state -> state.value.tryFail(reason));
    }

    /** Drop the values without references that were requested but never created. */
    void dropUnused() {
        List<OwnerState> dropped;
        synchronized (this) {
            dropped =
                    List.copyOf(owners.values()).stream()
                            .filter(state -> state.forks.isEmpty() && drop(state))
                            .toList();
        }
        dropped.forEach(state -> state.value.tryFail(deleted(state.id)));
    }

    /**
     * Wait until no worker uses a value. Values only in bytes do not count: no worker is left to
     * load them.
     *
     * @return whether none is used
     */
    synchronized boolean awaitNone(ReleaseTimeout releaseTimeout) {
        return releaseTimeout.await(
                this, () -> owners.values().stream().allMatch(OwnerState::isOnlyInBytes));
    }

    /**
     * Drop all values.
     *
     * @return a line for each fork that was not deleted
     */
    List<String> destroy() {
        List<String> leaks = new ArrayList<>();
        List<OwnerState> all;
        synchronized (this) {
            all = List.copyOf(owners.values());
            for (OwnerState state : all) {
                state.forks.forEach((forkId, forkHolder) ->
                        leaks.add(
                                "Leaking RRef %s with fork Id %s (a %s %s%s)"
                                        .formatted(
                                                state.id,
                                                forkId,
                                                UntrustedText.quote(state.type.name()),
                                                forkHolder.inBytes()
                                                        ? "in bytes that were never loaded"
                                                        : "used by worker " + forkHolder.worker(),
                                                CreationSites.text(state.site))));
            }
            owners.clear();
            notifyAll();
        }
        all.forEach(OwnedValues::endUnmade);
        all.forEach(this::releaseResource);
        return leaks;
    }

    private static void endUnmade(OwnerState state) {
        var reason =
                new RpcException(
                        RpcErrorKind.SHUTDOWN,
                        "the worker was shut down before the value of OwnerRRef(%s) was made"
                                .formatted(state.id));
        state.value.tryFail(reason);
        CallFuture<@Nullable Void> confirmed = state.confirmed;
        if (confirmed != null) {
            confirmed.tryFail(reason);
        }
    }

    synchronized int count() {
        return owners.size();
    }

    synchronized long unmade() {
        return owners.values().stream().filter(state -> !state.value.isDone()).count();
    }

    synchronized int forks() {
        return owners.values().stream().mapToInt(state -> state.forks.size()).sum();
    }
}
