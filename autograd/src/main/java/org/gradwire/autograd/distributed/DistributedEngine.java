package org.gradwire.autograd.distributed;

import org.gradwire.autograd.GraphRoot;
import org.gradwire.autograd.Node;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Runs distributed backward passes: initiates those of this worker, and takes part in those of
 * other workers. Thread-safe.
 */
final class DistributedEngine {
    private final Worker worker;
    private final ContextContainer contexts;
    private final StallDetector stalls;

    DistributedEngine(Worker worker, ContextContainer contexts, StallDetector stalls) {
        this.worker = worker;
        this.contexts = contexts;
        this.stalls = stalls;
    }

    // ---- on the initiator

    /** Run a pass from its roots and wait for its end. */
    void run(ContextState context, BackwardMode mode, List<Tensor> roots, boolean retainGraph) {
        var root = new GraphRoot(roots);
        long id = contexts.newMessageId();
        var initiator = new BackwardExecutor(worker);
        BackwardPass pass =
                switch (mode) {
                    case FAST -> begin(context, id, retainGraph, root, initiator);
                    case SMART -> {
                        DependencyDiscovery found = discover(context, id, root);
                        yield begin(context, found, retainGraph, root, initiator);
                    }
                };
        pass.whenEnded(failure -> initiator.end(BackwardFailures.named(worker, failure)));
        List<Tensor> ones = new ArrayList<>(roots.size());
        roots.forEach(tensor -> ones.add(Tensor.onesLike(tensor)));
        pass.feed(root, ones.toArray(Tensor[]::new));
        initiator.awaitEnd();
    }

    /** Begin a pass from its roots and all send functions of this worker. */
    private BackwardPass begin(
            ContextState context, long id, boolean retainGraph, GraphRoot root, Executor executor) {
        Supplier<BackwardPass> pass =
                () -> {
                    List<Node> starts = with(root, context.sendFunctions());
                    return fast(context, id, id, retainGraph, starts, executor);
                };
        return context.passes().begin(id, pass);
    }

    /** Begin a pass after its discovery. */
    private static BackwardPass begin(
            ContextState context,
            DependencyDiscovery found,
            boolean retainGraph,
            GraphRoot root,
            Executor executor) {
        long id = found.id();
        Supplier<BackwardPass> pass =
                () -> {
                    List<Node> starts = with(root, found.sends());
                    return smart(context, id, id, retainGraph, starts, executor);
                };
        return context.passes().proceed(found, pass);
    }

    private static List<Node> with(GraphRoot root, List<? extends Node> sends) {
        List<Node> starts = new ArrayList<>(sends.size() + 1);
        starts.addAll(sends);
        starts.add(root);
        return starts;
    }

    /** Find the send functions that take part in a pass, on all workers, and wait for the end. */
    private DependencyDiscovery discover(ContextState context, long passId, GraphRoot root) {
        var initiator = new BackwardExecutor(worker);
        DependencyDiscovery discovery =
                context.passes()
                        .begin(passId, () -> new DependencyDiscovery(context, passId, initiator));
        try {
            BackwardFailures.whenDone(
                    discovery.explore(List.of(root)),
                    failure -> initiator.end(BackwardFailures.named(worker, failure)));
            initiator.awaitEnd();
        } catch (RuntimeException | Error e) {
            discovery.fail(BackwardFailures.cause(e));
            throw e;
        }
        return discovery;
    }

    // ---- on the others

    /** Take part in the discovery of a pass. */
    DependencyDiscovery joinDiscovery(ContextState context, long passId) {
        Function<@Nullable BackwardPhase, DependencyDiscovery> discovery =
                _ -> {
                    requireBegunElsewhere(context, passId);
                    return new DependencyDiscovery(context, passId, worker.executor());
                };
        return context.passes().join(passId, DependencyDiscovery.class, discovery);
    }

    /**
     * Take part in a pass: with the send functions of its discovery, or with all.
     *
     * @param messageId id of the message that carries gradients for it
     * @return the pass; it may have ended, if the message is repeated or the pass failed
     */
    BackwardPass join(ContextState context, long passId, long messageId, boolean retainGraph) {
        Function<@Nullable BackwardPhase, BackwardPass> pass =
                before -> {
                    requireBegunElsewhere(context, passId);
                    return joined(context, passId, messageId, retainGraph, before);
                };
        return context.passes().join(passId, BackwardPass.class, pass);
    }

    private BackwardPass joined(
            ContextState context,
            long passId,
            long messageId,
            boolean retainGraph,
            @Nullable BackwardPhase before) {
        Executor executor = worker.executor();
        if (before instanceof DependencyDiscovery found) {
            return smart(context, passId, messageId, retainGraph, found.sends(), executor);
        }
        List<Node> sends = context.sendFunctions();
        return fast(context, passId, messageId, retainGraph, sends, executor);
    }

    /**
     * Refuse an unknown pass of this worker, and passes of workers outside of context and group.
     */
    private void requireBegunElsewhere(ContextState context, long passId) {
        int initiator = GlobalIds.creator(passId);
        if (initiator == worker.self().id() || !isMember(context, initiator)) {
            throw new RpcException(
                    RpcErrorKind.REFUSED,
                    "worker %d has not begun the backward pass %d of autograd context %d"
                            .formatted(initiator, passId, context.id()));
        }
    }

    private boolean isMember(ContextState context, int id) {
        return id == context.key().creator()
                || context.peers().contains(id)
                || worker.rpc().workers().stream().anyMatch(member -> member.id() == id);
    }

    // ---- on all

    /** {@return a pass that may wait for gradients that never arrive} */
    private BackwardPass fast(
            ContextState context,
            long id,
            long opener,
            boolean retainGraph,
            List<Node> starts,
            Executor executor) {
        stalls.begun();
        return new BackwardPass(
                context, id, opener, BackwardMode.FAST, retainGraph, starts, executor);
    }

    private static BackwardPass smart(
            ContextState context,
            long id,
            long opener,
            boolean retainGraph,
            List<? extends Node> starts,
            Executor executor) {
        return new BackwardPass(
                context, id, opener, BackwardMode.SMART, retainGraph, starts, executor);
    }
}
