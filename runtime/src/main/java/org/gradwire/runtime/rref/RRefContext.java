package org.gradwire.runtime.rref;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * The references of one worker: the values it owns, the references it uses, and the protocol that
 * keeps a value alive exactly as long as somebody may use it.
 *
 * <p>The two guarantees are PyTorch's. G1: the owner is told when any user goes away. G2: a parent
 * is not deleted before its child is known to the owner. Messages may be late, repeated or out of
 * order; ids of deleted forks are remembered, so that what comes after a deletion does not bring a
 * fork back.
 *
 * <p>All state is guarded by this object; messages are sent and futures completed without holding
 * it.
 */
public final class RRefContext {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.rref");
    private static final Duration QUIET_TIME = Duration.ofSeconds(100);

    private final RRefHost host;
    private final Cleaner cleaner;
    private final AtomicLong nextLocalId = new AtomicLong();
    private final Map<GloballyUniqueId, OwnerState> owners = new HashMap<>();
    private final Map<GloballyUniqueId, UserState> users = new HashMap<>(); // by fork id
    private final Map<GloballyUniqueId, PendingChild> pendingChildren =
            new HashMap<>(); // by the child's fork id
    private int pendingUsers;
    private boolean destroyed;

    /** Forks and values that were deleted: what arrives for them later must change nothing. */
    private final Cache<GloballyUniqueId, Boolean> tombstones =
            Caffeine.newBuilder()
                    .maximumSize(100_000)
                    .expireAfterWrite(Duration.ofMinutes(15))
                    .build();

    /** A fork that was sent and not yet accepted; its parent stays alive until then. */
    private record PendingChild(UserState parent, int destination) {}

    public RRefContext(RRefHost host, Cleaner cleaner) {
        this.host = host;
        this.cleaner = cleaner;
    }

    WorkerInfo self() {
        return host.self();
    }

    private GloballyUniqueId newId() {
        return new GloballyUniqueId(host.self().id(), nextLocalId.getAndIncrement());
    }

    // ---- creation

    /**
     * Return a reference to a value given by the program. The owner need not know of it before it
     * is sent.
     */
    public <T extends @Nullable Object> RRef<T> local(T value) {
        CallFuture<@Nullable Object> future = host.newFuture();
        future.complete(value);
        String name = value == null ? "null" : value.getClass().getSimpleName();
        return new OwnerRRef<>(
                this, new OwnerState(newId(), new RRefType(FunctionKind.USER, name), future));
    }

    /** A reference whose value another worker, or this one, was asked to make. */
    public record Creation<T extends @Nullable Object>(
            RRef<T> rref, GloballyUniqueId rrefId, GloballyUniqueId forkId) {}

    /** Enter a reference to a value that a worker will be asked to make. */
    public <T extends @Nullable Object> Creation<T> create(WorkerInfo owner, RRefType type) {
        GloballyUniqueId rrefId = newId();
        if (owner.id() == host.self().id()) {
            // A fork equal to the value's id stands for the creation itself.
            OwnerState state = ownerOf(rrefId, type);
            synchronized (this) {
                state.forks.put(rrefId, owner.id());
            }
            return new Creation<>(new OwnerRRef<>(this, state), rrefId, rrefId);
        }
        var fork = new ForkData(owner.id(), rrefId, newId(), host.self().id(), type);
        return new Creation<>(newUser(fork, owner), rrefId, fork.forkId());
    }

    private <T extends @Nullable Object> UserRRef<T> newUser(ForkData fork, WorkerInfo owner) {
        var state = new UserState(fork, owner, host.newFuture());
        synchronized (this) {
            users.put(state.forkId, state);
            pendingUsers++;
        }
        return new UserRRef<>(this, state, cleaner);
    }

    /** Learn that the request to make a value was answered, or failed. */
    public void creationEnded(Creation<?> creation, @Nullable RuntimeException failure) {
        if (creation.forkId().equals(creation.rrefId())) {
            if (failure != null) {
                failSelfCreation(creation.rrefId(), failure);
            }
            removeFork(creation.rrefId(), creation.forkId());
            return;
        }
        UserState state;
        synchronized (this) {
            state = users.get(creation.forkId());
        }
        if (state != null) {
            if (failure != null) {
                LOGGER.log(
                        System.Logger.Level.DEBUG,
                        "creation of {0} failed: {1}",
                        state,
                        failure.getMessage());
            }
            settle(state, failure);
        }
    }

    private synchronized void failSelfCreation(GloballyUniqueId rrefId, RuntimeException failure) {
        OwnerState state = owners.get(rrefId);
        if (state != null) {
            state.creationFailure = failure;
        }
    }

    /** End the pending time of a user. */
    private void settle(UserState state, @Nullable RuntimeException failure) {
        boolean delete;
        synchronized (this) {
            if (!state.pending) {
                return;
            }
            state.pending = false;
            state.creationFailure = failure;
            pendingUsers--;
            delete = takeForDeletion(state);
            notifyAll();
        }
        if (failure == null) {
            state.confirmed.complete(null);
        } else {
            state.confirmed.fail(failure);
        }
        if (delete) {
            sendDelete(state);
        }
    }

    // ---- the owner's side

    private OwnerState ownerOf(GloballyUniqueId rrefId, RRefType type) {
        synchronized (this) {
            return owners.computeIfAbsent(rrefId, id -> new OwnerState(id, type, host.newFuture()));
        }
    }

    /**
     * Enter a value that a user asked this worker to make.
     *
     * @return where its result goes
     */
    public CallFuture<@Nullable Object> createOwned(
            int creator, GloballyUniqueId rrefId, GloballyUniqueId forkId, RRefType type) {
        synchronized (this) {
            OwnerState state = owners.get(rrefId);
            if (state == null) {
                state = new OwnerState(rrefId, type, host.newFuture());
                if (tombstones.getIfPresent(forkId) != null) {
                    return state.value; // given up before the request arrived: run the function,
                    // keep nothing
                }
                owners.put(rrefId, state);
            }
            if (tombstones.getIfPresent(forkId) == null) {
                state.forks.put(forkId, creator);
            }
            return state.value;
        }
    }

    /**
     * Return the future of an owned value; also of one that a user has asked for but whose making
     * was not asked for yet, since messages overtake each other.
     *
     * @throws RpcException when the value was deleted
     */
    public CallFuture<@Nullable Object> ownedValue(GloballyUniqueId rrefId, RRefType type) {
        if (tombstones.getIfPresent(rrefId) != null) {
            throw new RpcException(
                    "OwnerRRef("
                            + rrefId
                            + ") has been deleted. Cannot call to_here() on it after deletion.");
        }
        return ownerOf(rrefId, type).value;
    }

    ForkData forkOwned(OwnerState state, int destination) {
        GloballyUniqueId forkId = newId();
        synchronized (this) {
            owners.putIfAbsent(state.id, state);
            tombstones.invalidate(
                    state.id); // a local value that was sent before, given up, and is sent again
            state.forks.put(forkId, destination);
        }
        return new ForkData(self().id(), state.id, forkId, self().id(), state.type);
    }

    /** Take in a fork that a user holds; {@link MessageTypes#RREF_FORK_REQUEST}. */
    void onForkRequest(int from, GloballyUniqueId rrefId, GloballyUniqueId forkId, RRefType type) {
        synchronized (this) {
            if (tombstones.getIfPresent(forkId) == null) {
                owners.computeIfAbsent(rrefId, id -> new OwnerState(id, type, host.newFuture()))
                        .forks
                        .put(forkId, from);
            }
        }
    }

    /** Take out a fork that is gone; {@link MessageTypes#RREF_USER_DELETE}. */
    void removeFork(GloballyUniqueId rrefId, GloballyUniqueId forkId) {
        synchronized (this) {
            tombstones.put(forkId, Boolean.TRUE);
            OwnerState state = owners.get(rrefId);
            if (state != null) {
                state.forks.remove(forkId);
                dropIfUnused(state);
            }
        }
    }

    private void dropIfUnused(OwnerState state) {
        if (state.forks.isEmpty() && owners.remove(state.id, state)) {
            tombstones.put(state.id, Boolean.TRUE);
            notifyAll();
        }
    }

    // ---- the users' side

    ForkData forkUser(UserState parent, int destination) {
        GloballyUniqueId forkId = newId();
        synchronized (this) {
            parent.pendingChildren++;
            pendingChildren.put(forkId, new PendingChild(parent, destination));
        }
        return new ForkData(parent.owner.id(), parent.rrefId, forkId, self().id(), parent.type);
    }

    /** The message with a fork did not reach its receiver. */
    void undoFork(ForkData fork) {
        if (fork.owner() == self().id()) {
            removeFork(fork.rrefId(), fork.forkId());
        } else {
            onChildAccepted(fork.forkId());
        }
    }

    /**
     * The owner knows of a child; {@link MessageTypes#RREF_CHILD_ACCEPT}. Its parent need not stay
     * for it any more.
     */
    void onChildAccepted(GloballyUniqueId forkId) {
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

    /** A received reference, and when the owner knows of it: null means already. */
    record Received(RRef<?> rref, @Nullable CallFuture<@Nullable Void> confirmation) {}

    /** Take in a reference that came in a message. */
    Received receive(ForkData fork) {
        if (fork.owner() == self().id()) {
            return receiveHome(fork);
        }
        WorkerInfo owner = host.worker(fork.owner());
        UserRRef<@Nullable Object> user = newUser(fork, owner);
        UserState state = user.state();
        if (fork.parent() == fork.owner()) {
            settle(state, null); // the owner sent it, so it knows
            return new Received(user, null);
        }
        host.sendControl(
                        owner.id(),
                        MessageTypes.RREF_FORK_REQUEST,
                        out -> {
                            fork.rrefId().write(out);
                            fork.forkId().write(out);
                            out.writeString(fork.type().text());
                        })
                .whenEnded((_, failure) -> {
                    if (failure == null) {
                        sendAccept(fork);
                    }
                    settle(state, failure);
                });
        return new Received(user, state.confirmed);
    }

    private Received receiveHome(ForkData fork) {
        OwnerState state = ownerOf(fork.rrefId(), fork.type());
        if (fork.parent() == self().id()) {
            removeFork(fork.rrefId(), fork.forkId());
        } else {
            sendAccept(fork);
        }
        return new Received(new OwnerRRef<>(this, state), null);
    }

    private void sendAccept(ForkData fork) {
        host.sendControl(fork.parent(), MessageTypes.RREF_CHILD_ACCEPT, fork.forkId()::write)
                .whenEnded((_, failure) ->
                        logFailure(
                                "tell worker "
                                        + fork.parent()
                                        + " that its fork "
                                        + fork.forkId()
                                        + " arrived",
                                failure));
    }

    boolean isConfirmed(UserState state) {
        synchronized (this) {
            return !state.pending && state.creationFailure == null;
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
        return true;
    }

    private void sendDelete(UserState state) {
        host.sendControl(
                        state.owner.id(),
                        MessageTypes.RREF_USER_DELETE,
                        out -> {
                            state.rrefId.write(out);
                            state.forkId.write(out);
                        })
                .whenEnded((_, failure) ->
                        logFailure("tell the owner of " + state + " that it is gone", failure));
    }

    private static void logFailure(String what, @Nullable RuntimeException failure) {
        if (failure != null) {
            LOGGER.log(System.Logger.Level.DEBUG, "could not {0}: {1}", what, failure.getMessage());
        }
    }

    // ---- values

    @Nullable Object fetch(UserState state, @Nullable Duration timeout) {
        return host.fetch(state.owner, state.rrefId, state.type, timeout);
    }

    void throwIfCreationFailed(UserState state) {
        RuntimeException failure;
        synchronized (this) {
            failure = state.creationFailure;
        }
        throwCreationFailure(failure);
    }

    void throwIfCreationFailed(OwnerState state) {
        RuntimeException failure;
        synchronized (this) {
            failure = state.creationFailure;
        }
        throwCreationFailure(failure);
    }

    private static void throwCreationFailure(@Nullable RuntimeException failure) {
        if (failure instanceof RpcException e
                && (e.kind() == RpcErrorKind.TIMEOUT
                        || e.kind() == RpcErrorKind.INTENTIONAL_FAILURE)) {
            throw new RpcException(
                    e.kind(),
                    "RRef creation via rpc.remote() timed out, and it is possible that the RRef on the owner node does not exist.",
                    e);
        }
        if (failure != null) {
            throw failure;
        }
    }

    RpcException notOwner(UserState state) {
        return new RpcException(
                host.inScript()
                        ? "Can't call RRef.local_value() on a non-owner RRef."
                        : "For UserRRef(rref_id=%s, fork_id=%s), can't call localValue() on user %s. Call it on owner %s"
                                .formatted(state.rrefId, state.forkId, self(), state.owner));
    }

    // ---- loss of peers, and the end

    /** A worker is lost: what it held is given up, and nothing is expected from it any more. */
    public void onPeerLost(int peer, RpcException reason) {
        List<UserState> unconfirmed = new ArrayList<>();
        List<GloballyUniqueId> orphans = new ArrayList<>();
        synchronized (this) {
            for (OwnerState state : List.copyOf(owners.values())) {
                if (state.forks.values().removeIf(holder -> holder == peer)) {
                    dropIfUnused(state);
                }
            }
            pendingChildren.forEach((forkId, child) -> {
                if (child.destination == peer || child.parent.owner.id() == peer) {
                    orphans.add(forkId);
                }
            });
            users.values().stream()
                    .filter(state -> state.pending && state.owner.id() == peer)
                    .forEach(unconfirmed::add);
        }
        orphans.forEach(this::onChildAccepted);
        unconfirmed.forEach(state -> settle(state, reason));
    }

    /**
     * Give up all references in an orderly way: wait for what is pending, delete the users, wait
     * until nobody uses what this worker owns.
     */
    public void deleteAll() {
        if (!awaitQuiet(() -> pendingUsers == 0 && pendingChildren.isEmpty())) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "Timed out waiting for pending UserRRefs to be confirmed by owner and parent.");
        }
        List<UserState> all;
        synchronized (this) {
            all = List.copyOf(users.values());
        }
        all.forEach(this::release);
        synchronized (this) {
            List.copyOf(owners.values()).forEach(this::dropIfUnused);
        }
        if (!awaitQuiet(owners::isEmpty)) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "Timed out waiting for pending OwnerRRefs to be deleted.");
        }
    }

    private synchronized boolean awaitQuiet(BooleanSupplier quiet) {
        long deadline = System.nanoTime() + QUIET_TIME.toNanos();
        while (!quiet.getAsBoolean()) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                return false;
            }
            try {
                wait(left);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return false;
            }
        }
        return true;
    }

    /**
     * Stop the protocol.
     *
     * @return a line for each fork that nobody gave up; empty when nothing leaked
     */
    public synchronized List<String> destroy() {
        destroyed = true;
        List<String> leaks = new ArrayList<>();
        for (OwnerState state : owners.values()) {
            state.forks
                    .keySet()
                    .forEach(forkId ->
                            leaks.add(
                                    "Leaking RRef %s with fork Id %s".formatted(state.id, forkId)));
        }
        owners.clear();
        users.clear();
        pendingChildren.clear();
        return leaks;
    }

    /** {@return the figures that the specification names} */
    public synchronized Map<String, String> debugInfo() {
        var info = new LinkedHashMap<String, String>();
        info.put("num_owner_rrefs", Integer.toString(owners.size()));
        info.put(
                "num_pending_futures",
                Long.toString(
                        owners.values().stream().filter(state -> !state.value.isDone()).count()));
        info.put("num_pending_users", Integer.toString(pendingUsers));
        info.put(
                "num_forks",
                Integer.toString(
                        owners.values().stream().mapToInt(state -> state.forks.size()).sum()));
        return info;
    }
}
