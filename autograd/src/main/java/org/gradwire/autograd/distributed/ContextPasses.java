package org.gradwire.autograd.distributed;

import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * The order of the backward passes of a context on one worker: one at a time. A pass that failed
 * elsewhere may have left this worker waiting; a message of another pass ends it. Thread-safe.
 */
final class ContextPasses {
    private final long contextId;
    private final int self;

    // All guarded by this.
    private @Nullable BackwardPhase current;
    private final Map<Integer, BackwardPhase> newest =
            new HashMap<>(); // by initiator, whose ids increase
    private boolean released;

    /**
     * Create the order of the passes of a context.
     *
     * @param self id of this worker
     */
    ContextPasses(long contextId, int self) {
        this.contextId = contextId;
        this.self = self;
    }

    // ---- on the initiator

    /**
     * Begin a pass with its first phase.
     *
     * @throws RpcException if another pass runs
     */
    <P extends BackwardPhase> P begin(long passId, Supplier<P> first) {
        BackwardPhase stale;
        P begun;
        synchronized (this) {
            requireValid();
            requireNoneUnderWay();
            stale = current;
            begun = enter(first.get());
        }
        giveUp(stale, passId);
        return begun;
    }

    /**
     * Begin the next phase of a pass.
     *
     * @throws RpcException if another pass has ended it
     */
    synchronized <P extends BackwardPhase> P proceed(BackwardPhase from, Supplier<P> next) {
        requireValid();
        if (!from.equals(current)) {
            throw givenUp(from.id());
        }
        return enter(next.get());
    }

    /** A discovery of another initiator does not count: its pass may have failed elsewhere. */
    private void requireNoneUnderWay() {
        if (current != null
                && (GlobalIds.creator(current.id()) == self || !current.isDiscovery())) {
            throw new RpcException(
                    "a backward pass of autograd context %d is running on worker %d; a context runs one pass at a time"
                            .formatted(contextId, self));
        }
    }

    // ---- on the others

    /**
     * Take part in a phase of a pass, which may have ended here already.
     *
     * @param type class of the phase
     * @param create creates the phase if it is new here, from the phase before it or null
     * @throws RpcException if the pass has ended, or as {@code create}
     */
    <P extends BackwardPhase> P join(
            long passId, Class<P> type, Function<@Nullable BackwardPhase, P> create) {
        BackwardPhase stale = null;
        P joined;
        synchronized (this) {
            requireValid();
            BackwardPhase before = current(passId);
            BackwardPhase known = before == null ? newest(passId) : before;
            if (known != null && known.id() == passId && type.isInstance(known)) {
                return type.cast(known);
            }
            if (before == null) {
                requireNew(passId);
                stale = current;
            } else if (!before.isDiscovery()) {
                throw new RpcException(
                        "the discovery of the backward pass %d of autograd context %d has ended on worker %d"
                                .formatted(passId, contextId, self));
            }
            joined = enter(create.apply(before));
        }
        giveUp(stale, passId);
        return joined;
    }

    private void requireNew(long passId) {
        BackwardPhase last = newest(passId);
        if (last != null && passId <= last.id()) {
            throw new RpcException(
                    "the backward pass %d of autograd context %d has ended on worker %d"
                            .formatted(passId, contextId, self));
        }
    }

    // ---- on all

    /** {@return the newest pass of the initiator of a pass} */
    private @Nullable BackwardPhase newest(long passId) {
        return newest.get(GlobalIds.creator(passId));
    }

    private <P extends BackwardPhase> P enter(P phase) {
        current = phase;
        newest.merge(
                GlobalIds.creator(phase.id()),
                phase,
                (known, begun) -> begun.id() < known.id() ? known : begun);
        return phase;
    }

    private void giveUp(@Nullable BackwardPhase stale, long newId) {
        if (stale != null) {
            stale.fail(
                    new RpcException(
                            givenUp(stale.id()).getMessage() + ": pass " + newId + " has begun"));
        }
    }

    private RpcException givenUp(long passId) {
        return new RpcException(
                "the backward pass %d of autograd context %d was cancelled"
                        .formatted(passId, contextId));
    }

    /** Note that a phase has ended, so another one may begin. */
    synchronized void ended(BackwardPhase phase) {
        if (phase.equals(current)) {
            current = null;
        }
    }

    /** {@return the phase that runs here, or null} */
    synchronized @Nullable BackwardPhase current() {
        return current;
    }

    /** {@return the phase that runs here if it is one of this pass, or null} */
    synchronized @Nullable BackwardPhase current(long passId) {
        return current != null && current.id() == passId ? current : null;
    }

    private void requireValid() {
        if (released) {
            throw new RpcException(
                    "the autograd context was released, by another thread or because a backward pass failed; open a new one");
        }
    }

    /** Prevent further passes. */
    synchronized void release() {
        released = true;
    }
}
