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
 * References in bytes that no message carries. Such bytes hold a fork of their own, of which the
 * owner knows before they are given to the program; so neither the one who saved it nor its worker
 * need stay. Who loads the bytes exchanges that fork for one of its own. That can be done once:
 * nobody else knows whether bytes were copied.
 */
public final class SavedReferences {
    private final RRefHost host;
    private final OwnedValues owned;
    private final UsedReferences used;
    private final BooleanSupplier hasStopped;

    /** Left with bytes for each reference that was written into them. */
    public record Saved(ForkData fork) {}

    SavedReferences(
            RRefHost host, OwnedValues owned, UsedReferences used, BooleanSupplier hasStopped) {
        this.host = host;
        this.owned = owned;
        this.used = used;
        this.hasStopped = hasStopped;
    }

    /**
     * Refuse a reference that is not open.
     *
     * @throws RpcException when it is not
     */
    public void requireOpen(RRef<?> reference) {
        if (reference instanceof AbstractRRef<?> rref) {
            rref.requireOpen(rref.noFork());
        }
    }

    void requireScope() {
        if (hasStopped.getAsBoolean()) {
            throw new RpcException(
                    RpcErrorKind.SHUTDOWN,
                    "references are not saved any more: their worker was shut down");
        }
        if (!host.savesReferences()) {
            throw new RpcException(
                    "RRef jit pickling is only allowed inside RPC calls. (Or while the thread has Rpc.savingReferences open.)");
        }
    }

    /**
     * Tell the owners of references that were written into bytes, and wait until all know.
     *
     * @throws RpcException when one cannot be told; then all of them are given up
     */
    public void announce(List<Saved> all) {
        List<CallFuture<@Nullable Void>> answers =
                all.stream()
                        .map(Saved::fork)
                        .filter(fork -> fork.owner() != host.self().id())
                        .map(this::announce)
                        .toList();
        try {
            answers.forEach(CallFuture::join);
        } catch (RuntimeException failure) {
            all.forEach(saved -> giveUp(saved.fork()));
            throw failure;
        }
    }

    /** The one that was saved stays until the owner knows of its fork. */
    private CallFuture<@Nullable Void> announce(ForkData fork) {
        CallFuture<@Nullable Void> answer =
                host.sendControl(
                        fork.owner(),
                        MessageTypes.RREF_SAVE_REQ,
                        out -> {
                            fork.rrefId().write(out);
                            fork.forkId().write(out);
                            out.writeString(fork.type().text());
                        });
        answer.whenEnded((_, _) -> used.removeChild(fork.forkId()));
        return answer;
    }

    private void giveUp(ForkData fork) {
        if (fork.owner() == host.self().id()) {
            owned.removeOwnFork(fork.rrefId(), fork.forkId());
        } else {
            used.sendDelete(fork);
        }
    }

    /** Take in a fork that a user has written; {@link MessageTypes#RREF_SAVE_REQ}. */
    void onSaved(int from, GloballyUniqueId rrefId, GloballyUniqueId savedId, RRefType type) {
        owned.onSaved(from, rrefId, savedId, type);
    }

    /** Exchange a fork that a user has read; {@link MessageTypes#RREF_LOAD_REQ}. */
    boolean onLoaded(
            int from, GloballyUniqueId rrefId, GloballyUniqueId savedId, GloballyUniqueId forkId) {
        return owned.onLoaded(from, rrefId, savedId, forkId);
    }

    /** Exchange a fork that was read here and is of a value of this worker. */
    OwnerState loadHere(ForkData saved) {
        OwnerState state = owned.loadHere(saved.rrefId(), saved.forkId());
        if (state == null) {
            throw loadedBefore(saved);
        }
        return state;
    }

    /** Exchange a fork that was read here for one that this worker holds. */
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
                "a reference to OwnerRRef(%s) cannot be loaded: it was loaded from these bytes before, or given up; save it once for each load"
                        .formatted(saved.rrefId()));
    }
}
