package org.gradwire.autograd;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.tensor.GraphRoot;
import org.gradwire.tensor.Node;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;

/**
 * The backward passes of a context, as far as one worker takes part in them: one at a time. A pass
 * that failed elsewhere may have left this worker waiting; a message of another one ends that.
 */
final class ContextPasses {
    private final AutogradContext context;

    // All guarded by this.
    private @Nullable PassPart current;
    private final Map<Integer, PassPart> newest = new HashMap<>(); // by initiator, whose ids grow
    private boolean released;

    ContextPasses(AutogradContext context) {
        this.context = context;
    }

    // ---- on the initiator

    /** Begin a pass with everything that was sent here. */
    BackwardPass begin(long passId, boolean retainGraph, GraphRoot root, Executor initiator) {
        PassPart stale;
        BackwardPass pass;
        synchronized (this) {
            requireValid();
            requireNoneUnderWay();
            stale = current;
            List<Node> starts = new ArrayList<>(context.sendFunctions());
            starts.add(root);
            pass = start(passId, passId, BackwardMode.FAST, retainGraph, starts, initiator);
        }
        giveUp(stale, passId);
        return pass;
    }

    /** Begin to find what takes part in a pass. */
    Discovery beginDiscovery(long passId, Executor initiator) {
        PassPart stale;
        Discovery discovery;
        synchronized (this) {
            requireValid();
            requireNoneUnderWay();
            stale = current;
            discovery = enter(new Discovery(context, passId, initiator));
        }
        giveUp(stale, passId);
        return discovery;
    }

    /** Begin a pass with what was found. */
    synchronized BackwardPass begin(
            Discovery discovery, boolean retainGraph, GraphRoot root, Executor initiator) {
        requireValid();
        if (!discovery.equals(current)) {
            throw givenUp(discovery.id());
        }
        List<Node> starts = new ArrayList<>(discovery.sends());
        starts.add(root);
        long id = discovery.id();
        return start(id, id, BackwardMode.SMART, retainGraph, starts, initiator);
    }

    /** What a failed pass of another initiator has left here does not count. */
    private void requireNoneUnderWay() {
        boolean isOwn = current != null && ContextContainer.creator(current.id()) == self();
        if (isOwn || current instanceof BackwardPass) {
            throw new RpcException(
                    "a backward pass of autograd context %d is under way on worker %d; passes of one context run one after another"
                            .formatted(context.id(), self()));
        }
    }

    // ---- on the others

    /** Take part in the discovery of a pass. */
    Discovery joinDiscovery(long passId) {
        PassPart stale;
        Discovery discovery;
        synchronized (this) {
            requireValid();
            if (current instanceof Discovery known && known.id() == passId) {
                return known;
            }
            requireBegunElsewhere(passId);
            requireNew(passId);
            stale = current;
            discovery = enter(new Discovery(context, passId, executor()));
        }
        giveUp(stale, passId);
        return discovery;
    }

    /**
     * Take part in a pass: with what its discovery has found, or with everything that was sent.
     *
     * @param messageId the message that brings gradients for it
     * @return the pass; it may have ended, when the message has come before or it failed
     */
    BackwardPass join(long passId, long messageId, boolean retainGraph) {
        PassPart stale;
        BackwardPass pass;
        synchronized (this) {
            requireValid();
            if (newest(passId) instanceof BackwardPass known && known.id() == passId) {
                return known;
            }
            requireBegunElsewhere(passId);
            if (current instanceof Discovery found && found.id() == passId) {
                return start(
                        passId,
                        messageId,
                        BackwardMode.SMART,
                        retainGraph,
                        found.sends(),
                        executor());
            }
            requireNew(passId);
            stale = current;
            pass =
                    start(
                            passId,
                            messageId,
                            BackwardMode.FAST,
                            retainGraph,
                            context.sendFunctions(),
                            executor());
        }
        giveUp(stale, passId);
        return pass;
    }

    /** A worker knows the passes that it begins itself, and those of strangers are none. */
    private void requireBegunElsewhere(long passId) {
        int initiator = ContextContainer.creator(passId);
        if (initiator == self() || !isMember(initiator)) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "worker %d has not begun the backward pass %d of autograd context %d"
                            .formatted(initiator, passId, context.id()));
        }
    }

    private boolean isMember(int id) {
        return id == context.key().creator()
                || context.partners().contains(id)
                || context.container().worker().rpc().workers().stream()
                        .anyMatch(member -> member.id() == id);
    }

    private void requireNew(long passId) {
        PassPart last = newest(passId);
        if (last != null && passId <= last.id()) {
            throw new RpcException(
                    "the backward pass %d of autograd context %d has ended on worker %d"
                            .formatted(passId, context.id(), self()));
        }
    }

    // ---- on all

    /** {@return the newest pass of the initiator of a pass} */
    private @Nullable PassPart newest(long passId) {
        return newest.get(ContextContainer.creator(passId));
    }

    private BackwardPass start(
            long passId,
            long opener,
            BackwardMode mode,
            boolean retainGraph,
            List<? extends Node> starts,
            Executor executor) {
        BackwardPass pass =
                enter(
                        new BackwardPass(
                                context, passId, opener, mode, retainGraph, starts, executor));
        if (mode == BackwardMode.FAST) {
            context.container().stalls().begun();
        }
        return pass;
    }

    private <P extends PassPart> P enter(P part) {
        current = part;
        newest.merge(
                ContextContainer.creator(part.id()),
                part,
                (known, begun) -> begun.id() < known.id() ? known : begun);
        return part;
    }

    private void giveUp(@Nullable PassPart stale, long newId) {
        if (stale != null) {
            stale.fail(
                    new RpcException(
                            givenUp(stale.id()).getMessage() + ": pass " + newId + " has begun"));
        }
    }

    private RpcException givenUp(long passId) {
        return new RpcException(
                "the backward pass %d of autograd context %d was given up"
                        .formatted(passId, context.id()));
    }

    /** {@return runs what arrives for a pass} */
    synchronized Executor executor(long passId) {
        return current != null && current.id() == passId ? current.executor() : executor();
    }

    private Executor executor() {
        return context.container().worker().executor();
    }

    private int self() {
        return context.container().worker().self().id();
    }

    /** A part of a pass has ended, either way: another one may begin. */
    synchronized void ended(PassPart part) {
        if (part.equals(current)) {
            current = null;
        }
    }

    /** {@return what is under way here, if anything is} */
    synchronized @Nullable PassPart current() {
        return current;
    }

    private void requireValid() {
        if (released) {
            throw new RpcException(
                    "Autograd context no longer valid! This usually means the autograd context was cleaned up by a different thread due to an error before RecvRcpBackward had a chance to run");
        }
    }

    /** Let no other pass begin. */
    synchronized void release() {
        released = true;
    }
}
