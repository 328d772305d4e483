package org.gradwire.runtime.rref;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.spi.MessageTypes;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * The references in saved bytes. The bytes hold their own fork, which the owner knows before the
 * program gets them, so that they outlive the saved reference and its worker. A load of the bytes
 * exchanges that fork for a new one. Bytes can be loaded once, because their copies cannot be
 * distinguished.
 */
public final class SavedReferences {
    private final RRefHost host;
    private final OwnedValues owned;
    private final UsedReferences used;
    private final BooleanSupplier hasStopped;

    /** A reference that was written into bytes. */
    public record Saved(ForkData fork) {}

    SavedReferences(
            RRefHost host, OwnedValues owned, UsedReferences used, BooleanSupplier hasStopped) {
        this.host = host;
        this.owned = owned;
        this.used = used;
        this.hasStopped = hasStopped;
    }

    /**
     * Check that a reference is open.
     *
     * @throws RpcException when it is not
     */
    public void requireOpen(RRef<?> reference) {
        if (reference instanceof AbstractRRef<?> rref) {
            rref.requireOpen(UserState.NOT_SENDABLE);
        }
    }

    void requireScope() {
        if (hasStopped.getAsBoolean()) {
            throw new RpcException(
                    RpcErrorKind.SHUTDOWN,
                    "references can no longer be saved: their worker was shut down");
        }
        if (!host.savesReferences()) {
            throw new RpcException(
                    "RRef serialization is only allowed inside RPC calls. (Or while the thread has Rpc.serialization().allowReferences() open.)");
        }
    }

    /**
     * Announce references in saved bytes to their owners, and wait for the acknowledgements.
     *
     * @throws RpcException if an owner cannot be notified; all forks are deleted then
     */
    public void announce(List<Saved> all) {
        List<CallFuture<@Nullable Void>> acknowledgements =
                all.stream()
                        .map(Saved::fork)
                        .filter(fork -> fork.owner() != host.self().id())
                        .map(this::announce)
                        .toList();
        try {
            acknowledgements.forEach(CallFuture::join);
        } catch (RuntimeException failure) {
            all.forEach(saved -> giveUp(saved.fork()));
            throw failure;
        }
    }

    /** Announce a fork to its owner; the saved reference stays open meanwhile. */
    private CallFuture<@Nullable Void> announce(ForkData fork) {
        CallFuture<@Nullable Void> acknowledgement =
                host.sendControl(
                        fork.owner(),
                        MessageTypes.RREF_SAVE_REQ,
                        out -> {
                            fork.rrefId().write(out);
                            fork.forkId().write(out);
                            out.writeString(fork.type().text());
                        });
        acknowledgement.whenEnded((_, _) -> used.removeChild(fork.forkId()));
        return acknowledgement;
    }

    private void giveUp(ForkData fork) {
        if (fork.owner() == host.self().id()) {
            owned.removeOwnFork(fork.rrefId(), fork.forkId());
        } else {
            used.sendDelete(fork);
        }
    }

    /** Add a fork that a user has written into bytes; {@link MessageTypes#RREF_SAVE_REQ}. */
    void onSaved(int from, GloballyUniqueId rrefId, GloballyUniqueId savedId, RRefType type) {
        owned.onSaved(from, rrefId, savedId, type);
    }

    /** Exchange a fork that a user has loaded; {@link MessageTypes#RREF_LOAD_REQ}. */
    boolean onLoaded(
            int from, GloballyUniqueId rrefId, GloballyUniqueId savedId, GloballyUniqueId forkId) {
        return owned.onLoaded(from, rrefId, savedId, forkId);
    }

    /** Exchange a fork that was loaded here, of a value of this worker. */
    OwnerState loadHere(ForkData saved) {
        OwnerState state = owned.loadHere(saved.rrefId(), saved.forkId());
        if (state == null) {
            throw loadedBefore(saved);
        }
        return state;
    }

    /** Exchange a fork that was loaded here for a fork of this worker. */
    void load(ForkData saved, UserState state) {
        host.askControl(
                        saved.owner(),
                        MessageTypes.RREF_LOAD_REQ,
                        out -> {
                            saved.rrefId().write(out);
                            saved.forkId().write(out);
                            state.forkId.write(out);
                        })
                .whenEnded((loaded, failure) ->
                        used.settle(
                                state,
                                failure != null || Boolean.TRUE.equals(loaded)
                                        ? failure
                                        : loadedBefore(saved)));
    }

    private static RpcException loadedBefore(ForkData saved) {
        return new RpcException(
                "a reference to OwnerRRef(%s) cannot be loaded: it was loaded from these bytes before, or deleted; save it once for each load"
                        .formatted(saved.rrefId()));
    }
}
