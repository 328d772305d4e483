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
 * The owner's side of the protocol: the values that this worker owns, each kept as long as it has
 * forks.
 *
 * <p>Messages may be late, repeated or out of order. So the ids of deleted forks and values are
 * remembered, and nothing that comes after the deletion brings them back. A value that is dropped
 * before it was made fails those who wait for it.
 *
 * <p>A worker acts for itself only: it creates values under ids that it drew, and enters and
 * deletes forks that it holds. What it says of values that do not exist is limited for each worker.
 *
 * <p>All state is guarded by this object; futures are completed without holding it.
 */
final class OwnedValues {
    /** Values that one worker has referred to before their making was asked for. */
    static final int MOST_INTRODUCED = 100_000;

    /** Heap that a fork takes, with its share of the tables of a value. */
    private static final int FORK_HEAP_BYTES = 256;

    private static final int LEAST_FORKS = 10_000;
    private static final int PART_OF_HEAP = 16;
    private static final int SHARES = 2;

    private final RRefHost host;
    private final Map<GloballyUniqueId, OwnerState> owners = new HashMap<>();
    private final Set<Integer> lostPeers = new HashSet<>();

    private final DeletedIds deleted = new DeletedIds();
    private final PeerLimit introduced =
            new PeerLimit("references to values that nobody has asked it to make", MOST_INTRODUCED);

    private final PeerLimit forks;

    /** Let the forks of all workers take an eighth of the heap, and those of one half of that. */
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

    /** Enter a value that this worker asks itself to make. */
    synchronized OwnerState createHere(GloballyUniqueId rrefId, RRefType type) {
        OwnerState state = enter(rrefId, type);
        state.requested = true;
        state.confirmed = host.newFuture();
        state.handles++;
        state.site = host.creationSite();
        // A fork equal to the value's id stands for the creation itself.
        put(state, rrefId, new Holder(self(), false));
        return state;
    }

    /** The request to make a value here has ended. */
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
        // Late is not lost: others that hold a fork may still get the value.
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
     * Enter a value that a worker asked this one to make.
     *
     * @return where its result goes
     * @throws RpcException when the ids are not the creator's own
     */
    synchronized CallFuture<@Nullable Object> createFor(
            int creator, GloballyUniqueId rrefId, GloballyUniqueId forkId, RRefType type) {
        boolean here = creator == self() && forkId.equals(rrefId);
        if (rrefId.createdOn() != creator || !(here || forkId.isCreationOf(rrefId))) {
            throw refused("worker %d did not draw the ids of OwnerRRef(%s)", creator, rrefId);
        }
        boolean givenUp = deleted.contains(creator, forkId) || lostPeers.contains(creator);
        OwnerState state = owners.get(rrefId);
        if (!givenUp) {
            requireRoom(state, forkId, creator);
        }
        if (state == null) {
            if (givenUp) {
                return host.newFuture(); // run the function, keep nothing
            }
            state = enter(rrefId, type);
        }
        state.requested = true;
        leaveIntroduced(state);
        state.type = type;
        if (!givenUp) {
            hold(state, forkId, new Holder(creator, false));
        }
        return state.value;
    }

    private static RpcException refused(String text, int worker, GloballyUniqueId id) {
        return new RpcException(RpcErrorKind.REFUSED, text.formatted(worker, id));
    }

    /** Refuse a fork that is one too many for a worker, before anything is entered for it. */
    private void requireRoom(@Nullable OwnerState state, GloballyUniqueId forkId, int worker) {
        if (worker != self() && (state == null || !state.forks.containsKey(forkId))) {
            forks.requireRoom(worker);
        }
    }

    /** Enter a fork that a worker says it holds, for which there is room. */
    private void hold(OwnerState state, GloballyUniqueId forkId, Holder holder) {
        Holder known = state.forks.get(forkId);
        if (known == null) {
            put(state, forkId, holder);
        } else if (!known.equals(holder)) {
            throw refused("worker %d does not hold the fork %s", holder.worker(), forkId);
        }
    }

    private void put(OwnerState state, GloballyUniqueId forkId, Holder holder) {
        removeFork(state, forkId);
        state.forks.put(forkId, holder);
        if (holder.worker() != self()) {
            forks.add(holder.worker());
        }
    }

    private void removeFork(OwnerState state, GloballyUniqueId forkId) {
        Holder holder = state.forks.remove(forkId);
        if (holder != null) {
            forks.leave(holder.worker());
        }
    }

    /**
     * Return a value that a worker refers to; also one whose making was not asked for yet, since
     * messages overtake each other.
     *
     * @throws RpcException when it was deleted, or can not be asked for any more
     */
    synchronized OwnerState find(int asker, GloballyUniqueId rrefId, RRefType type) {
        OwnerState state = known(asker, rrefId, type);
        if (!state.requested) {
            state.addAsker(asker);
        }
        return state;
    }

    /** As {@link #find}, for a handle on this worker. */
    synchronized OwnerState open(int asker, GloballyUniqueId rrefId, RRefType type) {
        OwnerState state = find(asker, rrefId, type);
        state.handles++;
        return state;
    }

    /** A handle on this worker was closed. */
    synchronized void handleClosed(OwnerState state) {
        state.handles--;
        giveUpKept(state);
    }

    /**
     * Let a value keep references until nobody refers to it.
     *
     * @param references handles of the call that makes the value
     */
    synchronized void keep(GloballyUniqueId rrefId, List<AbstractRRef<?>> references) {
        OwnerState state = owners.get(rrefId);
        if (state != null) {
            keep(state, references);
        }
    }

    /** As {@link #keep(GloballyUniqueId, List)}, for a value that nobody else knows of yet. */
    static void keep(OwnerState state, List<AbstractRRef<?>> references) {
        state.keep(references.stream().filter(AbstractRRef::moveToValue).toList());
    }

    /** Give up what a value kept that neither a fork nor a handle leads to any more. */
    private void giveUpKept(OwnerState state) {
        if (state.handles == 0 && owners.get(state.id) != state) {
            List<AbstractRRef<?>> kept = state.takeKept();
            if (!kept.isEmpty()) {
                host.execute(() -> kept.forEach(rref -> rref.endTenure(Tenure.VALUE)));
            }
        }
    }

    /** {@return the future of the request of this worker to make a value; null without one} */
    synchronized @Nullable CallFuture<@Nullable Void> confirmed(OwnerState state) {
        return state.confirmed;
    }

    private OwnerState known(int peer, GloballyUniqueId rrefId, RRefType type) {
        OwnerState state = owners.get(rrefId);
        return state == null ? introduce(peer, rrefId, type) : state;
    }

    /** A value of this worker itself exists before anybody else can know of it. */
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
                        + ") has been deleted. Cannot call to_here() on it after deletion.");
    }

    /** {@return the type of an owned value; null when there is none with this id} */
    synchronized @Nullable RRefType typeOf(GloballyUniqueId rrefId) {
        OwnerState state = owners.get(rrefId);
        return state == null ? null : state.type;
    }

    /** {@return the type of an owned value} */
    synchronized RRefType typeOf(OwnerState state) {
        return state.type;
    }

    /** Enter a fork that is about to be sent from here, or written into bytes. */
    synchronized void addFork(OwnerState state, GloballyUniqueId forkId, int destination) {
        owners.putIfAbsent(state.id, state);
        // A value that was sent before, given up by all, and is sent again.
        deleted.remove(state.id.createdOn(), state.id);
        boolean inBytes = destination == Output.NOWHERE;
        put(state, forkId, new Holder(inBytes ? self() : destination, inBytes));
    }

    /**
     * Take in a fork that a user was sent by another.
     *
     * @throws RpcException when the value was deleted, since the one who sent it is lost; or the
     *     fork is another worker's
     */
    synchronized void onForkRequest(
            int from, GloballyUniqueId rrefId, GloballyUniqueId forkId, RRefType type) {
        if (forkId.createdOn() == self() || forkId.isCreationOf(rrefId)) {
            throw refused("worker %d was not sent the fork %s by a user", from, forkId);
        }
        if (!deleted.contains(from, forkId) && !lostPeers.contains(from)) {
            requireRoom(owners.get(rrefId), forkId, from);
            hold(known(from, rrefId, type), forkId, new Holder(from, false));
        }
    }

    /** Take in a fork that a user has written into bytes. */
    synchronized void onSaved(
            int from, GloballyUniqueId rrefId, GloballyUniqueId savedId, RRefType type) {
        requireDrawnBy(from, rrefId, savedId);
        if (!deleted.contains(from, savedId)) {
            requireRoom(owners.get(rrefId), savedId, from);
            hold(known(from, rrefId, type), savedId, new Holder(from, true));
        }
    }

    private static void requireDrawnBy(int from, GloballyUniqueId rrefId, GloballyUniqueId forkId) {
        if (forkId.createdOn() != from || forkId.isCreationOf(rrefId)) {
            throw refused("worker %d did not draw the fork %s for bytes", from, forkId);
        }
    }

    /**
     * Give the fork that stood in bytes to the worker that has read them, as a fork of its own.
     *
     * @return false when the bytes were read before, or nobody knows of them
     */
    synchronized boolean onLoaded(
            int from, GloballyUniqueId rrefId, GloballyUniqueId savedId, GloballyUniqueId forkId) {
        requireDrawnBy(from, rrefId, forkId);
        OwnerState state = owners.get(rrefId);
        var loader = new Holder(from, false);
        boolean cameBefore =
                deleted.contains(from, forkId)
                        || (state != null && loader.equals(state.forks.get(forkId)));
        if (cameBefore || lostPeers.contains(from)) {
            return true;
        }
        Holder saver = saver(state, savedId);
        if (state == null || saver == null) {
            return false;
        }
        requireRoom(state, forkId, from);
        hold(state, forkId, loader);
        removeFork(state, savedId);
        deleted.add(saver.worker(), savedId);
        return true;
    }

    /** {@return the bytes that a fork is in; null when it is in none} */
    private static @Nullable Holder saver(@Nullable OwnerState state, GloballyUniqueId savedId) {
        Holder holder = state == null ? null : state.forks.get(savedId);
        return holder != null && holder.inBytes() ? holder : null;
    }

    /**
     * Take out the fork that stood in bytes, which were read by this worker.
     *
     * @return its value; null when the bytes were read before, or nobody knows of them
     */
    @Nullable OwnerState loadHere(GloballyUniqueId rrefId, GloballyUniqueId savedId) {
        OwnerState state;
        synchronized (this) {
            state = owners.get(rrefId);
            Holder saver = saver(state, savedId);
            if (state == null || saver == null) {
                return null;
            }
            if (!state.requested) {
                state.addAsker(saver.worker()); // the reader waits until the value is made
            }
            deleted.add(saver.worker(), savedId);
            removeFork(state, savedId);
            state.handles++;
            dropIfUnused(state);
        }
        return state;
    }

    /** Take out a fork that this worker drew and that has reached nobody else. */
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
     * Take out a fork that is gone. With the one that the creator made for itself goes the hope
     * that the value will be asked for, if it was not: the creator has seen its request fail.
     *
     * @throws RpcException when it is another worker's fork
     */
    void onUserDeleted(int from, GloballyUniqueId rrefId, GloballyUniqueId forkId) {
        OwnerState state;
        boolean unmade;
        synchronized (this) {
            state = owners.get(rrefId);
            boolean creators = rrefId.createdOn() != self() && forkId.isCreationOf(rrefId);
            Holder holder = state == null ? null : state.forks.get(forkId);
            boolean anothers = holder != null && holder.worker() != from;
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

    /** A worker has come, perhaps with the id of a lost one. */
    synchronized void onPeerJoined(int peer) {
        lostPeers.remove(peer);
    }

    /** A worker is lost: the forks that it held are gone, and values that it was to ask for. */
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
                        !state.requested; // bytes of such a value do not outlive their writer
                state.forks
                        .values()
                        .removeIf(holder ->
                                holder.isWorker(peer) || (unmade && holder.worker() == peer));
                state.removeAsker(peer);
                if (dropIfUnused(state) || state.abandoned) {
                    ended.add(state);
                }
            }
        }
        ended.forEach(state -> state.value.tryFail(reason));
    }

    /** Drop what nobody refers to: values that were asked for, but never made. */
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
     * Wait until no value is left that a worker uses. Those in bytes that were never read are not
     * waited for: nobody is left to read them.
     *
     * @return whether none is
     */
    synchronized boolean awaitNone(Patience patience) {
        return patience.await(
                this, () -> owners.values().stream().allMatch(OwnerState::isOnlyInBytes));
    }

    /**
     * Forget everything.
     *
     * @return a line for each fork that nobody gave up
     */
    List<String> destroy() {
        List<String> leaks = new ArrayList<>();
        List<OwnerState> all;
        synchronized (this) {
            all = List.copyOf(owners.values());
            for (OwnerState state : all) {
                state.forks.forEach((forkId, holder) ->
                        leaks.add(
                                "Leaking RRef %s with fork Id %s (a %s %s%s)"
                                        .formatted(
                                                state.id,
                                                forkId,
                                                UntrustedText.quote(state.type.name()),
                                                holder.inBytes()
                                                        ? "in bytes that were never loaded"
                                                        : "used by worker " + holder.worker(),
                                                CreationSites.text(state.site))));
            }
            owners.clear();
            notifyAll();
        }
        all.forEach(OwnedValues::endUnmade);
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
