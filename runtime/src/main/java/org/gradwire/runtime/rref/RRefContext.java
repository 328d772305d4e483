package org.gradwire.runtime.rref;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.runtime.function.FunctionKind;
import org.gradwire.runtime.function.ModuleInterfaces;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.spi.Input;
import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * The remote references of a worker and the protocol that keeps a value alive exactly as long as
 * references to it exist. Thread-safe.
 *
 * <p>The two guarantees are PyTorch's. G1: the owner is notified when any user is deleted. G2: a
 * parent is not deleted before its child is known to the owner. {@link OwnedValues} is the owner's
 * side and {@link UsedReferences} the users' side.
 */
public final class RRefContext {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.rref");
    private static final int INCARNATION_SHIFT = 32; // of the 48 bits of a local id
    private static final Duration QUIET_TIME = Duration.ofSeconds(100);

    private final RRefHost host;
    private final Cleaner cleaner;
    private final AtomicLong nextLocalId;
    private final OwnedValues owned;
    private final UsedReferences used;
    private final SavedReferences saved;
    private final ModuleInterfaces modules = new ModuleInterfaces();
    private volatile boolean destroyed;

    /**
     * Create the references of a worker.
     *
     * @param incarnation number of earlier workers with its id; keeps the ids of references
     *     distinct
     */
    public RRefContext(RRefHost host, Cleaner cleaner, int incarnation) {
        this.host = host;
        this.nextLocalId = new AtomicLong((long) incarnation << INCARNATION_SHIFT);
        this.cleaner = cleaner;
        this.owned = new OwnedValues(host);
        this.used = new UsedReferences(host);
        this.saved = new SavedReferences(host, owned, used, () -> destroyed);
    }

    /** {@return the references in saved bytes} */
    public SavedReferences saved() {
        return saved;
    }

    WorkerInfo self() {
        return host.self();
    }

    RRefHost host() {
        return host;
    }

    private GloballyUniqueId newId() {
        return newIds(1);
    }

    /** Draw consecutive ids with the same secret and return the first. */
    private GloballyUniqueId newIds(int count) {
        return new GloballyUniqueId(
                host.self().id(), nextLocalId.getAndAdd(count), host.newSecret());
    }

    // ---- creation

    /**
     * Return a reference to a value of the program.
     *
     * @throws TypeMismatchException when it is a module, whose interface must be named
     */
    public <T extends @Nullable Object> RRef<T> local(T value) {
        modules.requireNoModule(value);
        String name = value == null ? "null" : value.getClass().getSimpleName();
        return local(value, new RRefType(FunctionKind.USER, name));
    }

    /**
     * Return a reference to a module of the program, which others use through an interface.
     *
     * @throws TypeMismatchException when it is not a module, or has no such interface
     */
    public <T> RRef<T> local(T value, Class<T> moduleInterface) {
        modules.requireModule(value, moduleInterface);
        return local(value, new RRefType(FunctionKind.USER, true, moduleInterface.getSimpleName()));
    }

    /**
     * Return a reference to a value; a value of a running function keeps the references of the
     * call.
     */
    private <T extends @Nullable Object> RRef<T> local(T value, RRefType type) {
        CallFuture<@Nullable Object> future = host.newFuture();
        future.complete(value);
        var state = new OwnerState(newId(), type, future);
        state.requested = true;
        state.handles++;
        state.site = host.creationSite();
        ArgumentReferences.keepFor(value, state);
        return new OwnerRRef<>(this, state);
    }

    /** A reference whose value is requested from another worker, or from this one. */
    public record Creation<T extends @Nullable Object>(
            RRef<T> rref, GloballyUniqueId rrefId, GloballyUniqueId forkId) {}

    /** Create a reference to a value that is about to be requested from a worker. */
    public <T extends @Nullable Object> Creation<T> create(WorkerInfo owner, RRefType type) {
        if (owner.id() == host.self().id()) {
            OwnerState state = owned.createHere(newId(), type);
            return new Creation<>(new OwnerRRef<>(this, state), state.id, state.id);
        }
        GloballyUniqueId rrefId = newIds(2);
        var fork = new ForkData(owner.id(), rrefId, rrefId.ofCreation(), self().id(), type);
        return new Creation<>(newUser(fork, owner), rrefId, fork.forkId());
    }

    private <T extends @Nullable Object> UserRRef<T> newUser(ForkData fork, WorkerInfo owner) {
        return new UserRRef<>(this, used.enter(fork, owner), cleaner);
    }

    /** End the request for a value with a reply or a failure. */
    public void creationEnded(Creation<?> creation, @Nullable RuntimeException failure) {
        if (creation.forkId().equals(creation.rrefId())) {
            owned.createdHere(creation.rrefId(), failure);
            return;
        }
        UserState state = used.find(creation.forkId());
        if (state != null) {
            used.settle(state, failure);
        }
    }

    // ---- the owner's side

    /**
     * Add a value that a user requests from this worker.
     *
     * @return the future to complete with the value
     * @throws RpcException if the creator did not create the ids
     */
    public CallFuture<@Nullable Object> createOwned(
            int creator, GloballyUniqueId rrefId, GloballyUniqueId forkId, RRefType type) {
        return owned.createFor(creator, rrefId, forkId, type);
    }

    /**
     * Return the future of an owned value, possibly before it is requested, since messages overtake
     * each other.
     *
     * @param asker the worker that fetches it
     * @throws RpcException when the value was deleted
     */
    public CallFuture<@Nullable Object> ownedValue(
            int asker, GloballyUniqueId rrefId, RRefType type) {
        return owned.find(asker, rrefId, type).value;
    }

    /**
     * Check that a value may be sent.
     *
     * @throws RpcException when it is a module that was declared as its interface
     */
    public void requireFetchable(GloballyUniqueId rrefId, int user) {
        RRefType type = owned.typeOf(rrefId);
        if (type != null && type.module()) {
            throw moduleStays("OwnerRRef(" + rrefId + ")", self(), host.worker(user));
        }
    }

    private static RpcException moduleStays(String rref, WorkerInfo owner, WorkerInfo user) {
        return new RpcException(
                "%s is an RRef to a module through its interface. It can't be sent through RPC from owner, %s, to user, %s. Call its methods through the reference."
                        .formatted(rref, owner, user));
    }

    /** Count a closed handle of this worker. */
    void handleClosed(OwnerState state) {
        owned.handleClosed(state);
    }

    /** Keep references open as long as a value of this worker exists. */
    void keep(GloballyUniqueId rrefId, List<AbstractRRef<?>> references) {
        owned.keep(rrefId, references);
    }

    /** {@return a future that ends with the request for a value of this worker} */
    CallFuture<@Nullable Void> confirmation(OwnerState state) {
        CallFuture<@Nullable Void> requested = owned.confirmed(state);
        if (requested != null) {
            return requested;
        }
        CallFuture<@Nullable Void> complete = host.newFuture();
        complete.complete(null);
        return complete;
    }

    ForkData forkOwned(OwnerState state, int destination) {
        throwIfCreationFailed(state);
        GloballyUniqueId forkId = newId();
        owned.addFork(state, forkId, destination);
        return new ForkData(self().id(), state.id, forkId, self().id(), owned.typeOf(state));
    }

    void throwIfCreationFailed(OwnerState state) {
        CreationFailures.throwIfFailed(owned.creationFailure(state));
    }

    /** Add a fork that a user holds; {@link MessageTypes#RREF_FORK_REQUEST}. */
    void onForkRequest(int from, GloballyUniqueId rrefId, GloballyUniqueId forkId, RRefType type) {
        owned.onForkRequest(from, rrefId, forkId, type);
    }

    /**
     * Remove deleted forks; {@link MessageTypes#RREF_USER_DELETE}.
     *
     * @throws RpcException when some are not the sender's; the others are removed
     */
    void onUserDeleted(int from, List<Deletions.Fork> gone) {
        RpcException refusal = null;
        for (Deletions.Fork fork : gone) {
            try {
                owned.onUserDeleted(from, fork.rrefId(), fork.forkId());
            } catch (RpcException e) {
                refusal = e;
            }
        }
        if (refusal != null) {
            throw refusal;
        }
    }

    // ---- the users' side

    ForkData forkUser(UserState parent, int destination) {
        CreationFailures.throwIfFailed(used.creationFailure(parent));
        GloballyUniqueId forkId = newId();
        used.addChild(parent, forkId, destination);
        return new ForkData(parent.owner.id(), parent.rrefId, forkId, self().id(), parent.type);
    }

    /** Remove a fork whose message was not delivered. */
    void undoFork(ForkData fork) {
        if (fork.owner() == self().id()) {
            owned.removeOwnFork(fork.rrefId(), fork.forkId());
        } else {
            used.removeChild(fork.forkId());
        }
    }

    /** Accept a child, which the owner knows of; {@link MessageTypes#RREF_CHILD_ACCEPT}. */
    void onChildAccepted(int from, GloballyUniqueId forkId) {
        used.onChildAccepted(from, forkId);
    }

    boolean isConfirmed(UserState state) {
        return used.isConfirmed(state);
    }

    /** Record whether the program must close a handle. */
    void onLifetimeChanged(UserState state, HandleLifetime now) {
        state.programs = now == HandleLifetime.PROGRAM;
        if (state.programs && state.site == null) {
            state.site = host.creationSite(); // where it was retained
        }
    }

    void release(UserState state) {
        used.release(state);
    }

    /**
     * Fetch a value from its owner and wait for it, or for the failure of the request for it. A
     * module that was declared as its interface is not fetched.
     */
    @Nullable Object fetch(UserState state, @Nullable Duration timeout) {
        CreationFailures.throwIfFailed(used.creationFailure(state));
        if (state.type.module()) {
            throw moduleStays(state.toString(), state.owner, self());
        }
        CallFuture<@Nullable Object> fetched =
                host.fetch(state.owner, state.rrefId, state.type, timeout);
        state.confirmed.whenEnded((_, failure) -> {
            if (failure != null && !CreationFailures.mayStillHappen(failure)) {
                fetched.tryFail(CreationFailures.forUser(failure));
            }
        });
        return fetched.join();
    }

    RpcException notOwner(UserState state) {
        return new RpcException(
                host.inScript()
                        ? "Can't call RRef.localValue() on a non-owner RRef."
                        : "For UserRRef(rref_id=%s, fork_id=%s), can't call localValue() on user %s. Call it on owner %s"
                                .formatted(state.rrefId, state.forkId, self(), state.owner));
    }

    // ---- references in messages

    /**
     * Close a handle as soon as it is sent: a function that passes a reference on in its result has
     * no later moment to do so.
     */
    public static void closeWhenSent(RRef<?> rref) {
        ((AbstractRRef<?>) rref).moveToMessage();
    }

    /**
     * A received reference.
     *
     * @param confirmation completes when the owner knows of the reference; no function may see it
     *     before. Null if the owner knows of it already
     */
    public record Received(RRef<?> rref, @Nullable CallFuture<@Nullable Void> confirmation) {}

    /**
     * Receive a reference in a message.
     *
     * @throws RpcException when its parent is not the sender of the message
     */
    Received receive(int from, ForkData fork) {
        if (fork.parent() != from || fork.forkId().createdOn() != from) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "worker %d sent the fork %s of another worker".formatted(from, fork.forkId()));
        }
        if (fork.owner() == self().id()) {
            return receiveHome(fork);
        }
        UserRRef<@Nullable Object> user = newUser(fork, host.worker(fork.owner()));
        UserState state = user.state();
        if (fork.parent() == fork.owner()) {
            used.settle(state, null); // the owner sent it, so it knows
            return new Received(user, null);
        }
        host.sendControl(
                        fork.owner(),
                        MessageTypes.RREF_FORK_REQUEST,
                        out -> {
                            fork.rrefId().write(out);
                            fork.forkId().write(out);
                            out.writeString(fork.type().text());
                        })
                .whenEnded((_, failure) -> {
                    sendAccept(fork); // also after a failure, so that the parent can be deleted
                    used.settle(state, failure);
                });
        return new Received(user, state.confirmed);
    }

    /**
     * Return a reader of the result of the current call, which records this line as the creation
     * site of references in the result, if sites are recorded.
     */
    public <R extends @Nullable Object> Function<Input, R> ofResults(Function<Input, R> reader) {
        String site = host.creationSite();
        return site == null
                ? reader
                : in -> {
                    R result = reader.apply(in);
                    in.attached(Received.class).forEach(received -> madeAt(received, site));
                    return result;
                };
    }

    private static void madeAt(Received received, String site) {
        if (received.rref() instanceof UserRRef<?> user) {
            user.state().site = site;
        }
    }

    /** Receive a reference from saved bytes. */
    Received load(ForkData written) {
        if (written.owner() == self().id()) {
            return new Received(new OwnerRRef<>(this, saved.loadHere(written)), null);
        }
        var fork =
                new ForkData(
                        written.owner(), written.rrefId(), newId(), self().id(), written.type());
        UserRRef<@Nullable Object> user = newUser(fork, host.worker(written.owner()));
        saved.load(written, user.state());
        return new Received(user, user.state().confirmed);
    }

    private Received receiveHome(ForkData fork) {
        OwnerState state = owned.open(fork.parent(), fork.rrefId(), fork.type());
        if (fork.parent() == self().id()) {
            owned.removeOwnFork(fork.rrefId(), fork.forkId());
        } else {
            sendAccept(fork);
        }
        return new Received(new OwnerRRef<>(this, state), null);
    }

    private void sendAccept(ForkData fork) {
        host.sendControl(fork.parent(), MessageTypes.RREF_CHILD_ACCEPT, fork.forkId()::write)
                .whenEnded((_, failure) -> {
                    if (failure != null) {
                        LOGGER.log(
                                System.Logger.Level.DEBUG,
                                "could not report to worker {0} that its fork {1} has arrived: {2}",
                                fork.parent(),
                                fork.forkId(),
                                failure.getMessage());
                    }
                });
    }

    // ---- loss of peers, and the end

    /** Forget the state of an earlier worker with the id. */
    public void onPeerJoined(int peer) {
        owned.onPeerJoined(peer);
    }

    /** Remove the forks of a lost worker, and expect no further messages of it. */
    public void onPeerLost(int peer, RpcException reason) {
        owned.onPeerLost(peer, reason);
        used.onPeerLost(peer, reason);
    }

    /**
     * Delete all references in an orderly way: wait for pending ones, delete the users, wait until
     * the values of this worker are unused. Timeouts are logged.
     *
     * @param most the timeout of both waits together; zero means the default for each
     */
    public void deleteAll(Duration most) {
        var overall = new ReleaseTimeout(most, () -> destroyed);
        releaseAll(most.isZero() ? usual() : overall);
        if (!owned.awaitNone(most.isZero() ? usual() : overall)) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "Timed out waiting for pending OwnerRRefs to be deleted.");
        }
    }

    /**
     * Delete the references to values of others, after a wait for pending ones. Others may still
     * use the values of this worker.
     *
     * @param most the timeout of the wait; zero means the default
     */
    public void releaseAll(Duration most) {
        releaseAll(most.isZero() ? usual() : new ReleaseTimeout(most, () -> destroyed));
    }

    private void releaseAll(ReleaseTimeout releaseTimeout) {
        if (!used.awaitSettled(releaseTimeout)) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "Timed out waiting for pending UserRRefs to be confirmed by owner and parent.");
        }
        used.releaseAll();
        owned.dropUnused();
    }

    private ReleaseTimeout usual() {
        return new ReleaseTimeout(QUIET_TIME, () -> destroyed);
    }

    /**
     * Stop the protocol. Fetches of values that do not exist yet fail.
     *
     * @return a line for each leaked fork
     */
    public List<String> destroy() {
        destroyed = true;
        used.destroy();
        return owned.destroy();
    }

    /** {@return metrics of references, by PyTorch's names} */
    public Map<String, String> debugInfo() {
        var info = new LinkedHashMap<String, String>();
        info.put("num_owner_rrefs", Integer.toString(owned.count()));
        info.put("num_pending_futures", Long.toString(owned.unmade()));
        info.put("num_pending_users", Integer.toString(used.pending()));
        info.put("num_forks", Integer.toString(owned.forks()));
        List<UserState> open = used.open();
        if (!open.isEmpty()) {
            info.put("open_references", String.join("\n", OpenReferences.lines(open)));
        }
        return info;
    }
}
