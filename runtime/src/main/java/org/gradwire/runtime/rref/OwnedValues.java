package org.gradwire.runtime.rref;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.future.CallFuture;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
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
 * <p>All state is guarded by this object; futures are completed without holding it.
 */
final class OwnedValues {
    private final RRefHost host;
    private final Map<GloballyUniqueId, OwnerState> owners = new HashMap<>();
    private final Set<Integer> lostPeers = new HashSet<>();

    /** Forks and values that were deleted. */
    private final Cache<GloballyUniqueId, Boolean> tombstones =
            Caffeine.newBuilder()
                    .maximumSize(100_000)
                    .expireAfterWrite(Duration.ofMinutes(15))
                    .build();

    OwnedValues(RRefHost host) {
        this.host = host;
    }

    /** Enter a value that this worker asks itself to make. */
    synchronized OwnerState createHere(GloballyUniqueId rrefId, RRefType type) {
        OwnerState state = enter(rrefId, type);
        state.requested = true;
        state.site = host.creationSite();
        // A fork equal to the value's id stands for the creation itself.
        state.forks.put(rrefId, host.self().id());
        return state;
    }

    /** The request to make a value here has ended. */
    void createdHere(GloballyUniqueId rrefId, @Nullable RuntimeException failure) {
        OwnerState state;
        boolean dropped;
        synchronized (this) {
            state = owners.get(rrefId);
            if (state == null) {
                return;
            }
            state.creationFailure = failure;
            dropped = remove(state, rrefId);
        }
        // Late is not lost: others that hold a fork may still get the value.
        if (failure != null && (dropped || !CreationFailures.mayStillHappen(failure))) {
            state.value.tryFail(CreationFailures.forUser(failure));
        } else if (dropped) {
            state.value.tryFail(deleted(rrefId));
        }
    }

    /**
     * Enter a value that a worker asked this one to make.
     *
     * @return where its result goes
     */
    synchronized CallFuture<@Nullable Object> createFor(
            int creator, GloballyUniqueId rrefId, GloballyUniqueId forkId, RRefType type) {
        boolean givenUp = isDeleted(forkId) || lostPeers.contains(creator);
        OwnerState state = owners.get(rrefId);
        if (state == null) {
            if (givenUp) {
                return host.newFuture(); // run the function, keep nothing
            }
            state = enter(rrefId, type);
        }
        state.requested = true;
        state.type = type;
        if (!givenUp) {
            state.forks.put(forkId, creator);
        }
        return state.value;
    }

    /**
     * Return a value that somebody refers to; also one whose making was not asked for yet, since
     * messages overtake each other.
     *
     * @throws RpcException when it was deleted, or can not be asked for any more
     */
    synchronized OwnerState find(GloballyUniqueId rrefId, RRefType type) {
        boolean gone = isDeleted(rrefId) || lostPeers.contains(rrefId.createdOn());
        if (gone && !owners.containsKey(rrefId)) {
            throw deleted(rrefId);
        }
        return enter(rrefId, type);
    }

    private OwnerState enter(GloballyUniqueId rrefId, RRefType type) {
        return owners.computeIfAbsent(rrefId, id -> new OwnerState(id, type, host.newFuture()));
    }

    private boolean isDeleted(GloballyUniqueId id) {
        return tombstones.getIfPresent(id) != null;
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

    /** Enter a fork that is about to be sent from here. */
    synchronized void addFork(OwnerState state, GloballyUniqueId forkId, int holder) {
        owners.putIfAbsent(state.id, state);
        // A value that was sent before, given up by all, and is sent again.
        tombstones.invalidate(state.id);
        state.forks.put(forkId, holder);
    }

    /**
     * Take in a fork that a user was sent by another.
     *
     * @throws RpcException when the value was deleted, since the one who sent it is lost
     */
    synchronized void onForkRequest(
            int from, GloballyUniqueId rrefId, GloballyUniqueId forkId, RRefType type) {
        if (!isDeleted(forkId) && !lostPeers.contains(from)) {
            find(rrefId, type).forks.put(forkId, from);
        }
    }

    /** Take in a fork that a user has written into bytes. */
    synchronized void onSaved(GloballyUniqueId rrefId, GloballyUniqueId savedId, RRefType type) {
        if (!isDeleted(savedId)) {
            find(rrefId, type).forks.put(savedId, OwnerState.IN_BYTES);
        }
    }

    /**
     * Give the fork that stood in bytes to the worker that has read them, as a fork of its own.
     *
     * @return false when the bytes were read before, or nobody knows of them
     */
    synchronized boolean onLoaded(
            int from, GloballyUniqueId rrefId, GloballyUniqueId savedId, GloballyUniqueId forkId) {
        OwnerState state = owners.get(rrefId);
        boolean cameBefore =
                isDeleted(forkId) || (state != null && state.forks.containsKey(forkId));
        if (cameBefore || lostPeers.contains(from)) {
            return true;
        }
        if (state == null || state.forks.remove(savedId) == null) {
            return false;
        }
        tombstones.put(savedId, Boolean.TRUE);
        state.forks.put(forkId, from);
        return true;
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
            if (state == null || !state.forks.containsKey(savedId)) {
                return null;
            }
            remove(state, savedId);
        }
        return state;
    }

    /**
     * Take out a fork that is gone. With the one that the creator made for itself goes the hope
     * that the value will be asked for, if it was not: the creator has seen its request fail.
     */
    void removeFork(GloballyUniqueId rrefId, GloballyUniqueId forkId) {
        OwnerState state;
        boolean unmade;
        synchronized (this) {
            boolean creators = forkId.isCreationOf(rrefId);
            tombstones.put(forkId, Boolean.TRUE);
            state = owners.get(rrefId);
            if (state == null) {
                if (creators) {
                    tombstones.put(rrefId, Boolean.TRUE);
                }
                return;
            }
            state.abandoned |= creators && !state.requested;
            unmade = remove(state, forkId) || state.abandoned;
        }
        if (unmade) {
            state.value.tryFail(deleted(rrefId));
        }
    }

    private boolean remove(OwnerState state, GloballyUniqueId forkId) {
        tombstones.put(forkId, Boolean.TRUE);
        state.forks.remove(forkId);
        return dropIfUnused(state);
    }

    private boolean dropIfUnused(OwnerState state) {
        return state.mayBeDropped() && drop(state);
    }

    private boolean drop(OwnerState state) {
        boolean dropped = owners.remove(state.id, state);
        tombstones.put(state.id, Boolean.TRUE);
        notifyAll();
        return dropped;
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
            for (OwnerState state : List.copyOf(owners.values())) {
                state.abandoned |= state.id.createdOn() == peer && !state.requested;
                state.forks.values().removeIf(holder -> holder == peer);
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
                                                state.type.name(),
                                                holder == OwnerState.IN_BYTES
                                                        ? "in bytes that were never loaded"
                                                        : "used by worker " + holder,
                                                CreationSites.text(state.site))));
            }
            owners.clear();
            notifyAll();
        }
        all.forEach(state ->
                state.value.tryFail(
                        new RpcException(
                                RpcErrorKind.SHUTDOWN,
                                "the worker was shut down before the value of OwnerRRef(%s) was made"
                                        .formatted(state.id))));
        return leaks;
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
