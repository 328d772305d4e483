package org.gradwire.autograd;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.spi.Worker;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The entry to distributed autograd: opens contexts, and finds those that are open on a worker.
 *
 * {@snippet :
 * try (var context = DistAutograd.context(rpc)) {
 *     Tensor loss = rpc.rpcSync("worker1", Model::forward, x).sum();
 *     context.backward(loss);
 *     Tensor gradient = context.gradients().get(weight);
 * }
 * }
 */
public final class DistAutograd {

    private DistAutograd() {}

    /**
     * Open a context for the calling thread. Until it is closed, the thread's calls are recorded in
     * it.
     *
     * @throws RpcException when the thread is in a context already
     */
    public static AutogradContext context(Rpc rpc) {
        return contexts(rpc).open();
    }

    /**
     * Return the context that the calling thread is in.
     *
     * @throws RpcException when it is in none
     */
    public static AutogradContext current(Rpc rpc) {
        return contexts(rpc).current();
    }

    /**
     * Return a context by its id, wherever it was opened, as it is on this worker. Ids can be
     * guessed: while the thread runs a function that a worker has called, it finds only the context
     * that it is in, which is that of the call or one that it opened itself.
     *
     * @throws RpcException when this worker does not know it
     */
    public static AutogradContext lookup(Rpc rpc, long id) {
        return contexts(rpc).lookup(id);
    }

    /** As {@link #lookup}, but return empty when this worker does not know the context. */
    public static Optional<AutogradContext> find(Rpc rpc, long id) {
        return Optional.ofNullable(contexts(rpc).find(id));
    }

    /** {@return the largest id that a context of this worker can have} */
    public static long maxId(Rpc rpc) {
        return contexts(rpc).maxId();
    }

    /** As {@link #backward(Rpc, Long, List, boolean, BackwardMode)}, in FAST mode. */
    public static void backward(Rpc rpc, Long contextId, List<Tensor> roots, boolean retainGraph) {
        backward(rpc, contextId, roots, retainGraph, BackwardMode.FAST);
    }

    /**
     * Run a backward pass in a context given by its id; see {@link
     * AutogradContext#backward(BackwardMode, boolean, List)}.
     *
     * @throws TypeMismatchException when the id or the list is null
     */
    public static void backward(
            Rpc rpc, Long contextId, List<Tensor> roots, boolean retainGraph, BackwardMode mode) {
        if (contextId == null || roots == null) {
            throw new TypeMismatchException(
                    "backward(): incompatible function arguments: it takes (long contextId, List<Tensor> roots, boolean retainGraph), but got (%s, %s, %s)"
                            .formatted(contextId, roots, retainGraph));
        }
        lookup(rpc, contextId).backward(mode, retainGraph, roots);
    }

    /** Return the gradients of a context given by its id; see {@link AutogradContext#gradients}. */
    public static Map<Tensor, Tensor> gradients(Rpc rpc, long contextId) {
        return lookup(rpc, contextId).gradients();
    }

    /**
     * {@return figures of a worker, by name: {@code num_current_backward_passes}, those that it
     * takes part in now, {@code num_autograd_contexts}, those that it knows, and, only while there
     * are any, {@code stalled_backward_passes}, what passes in FAST mode wait for in vain}
     */
    public static Map<String, String> debugInfo(Rpc rpc) {
        return Worker.of(rpc).extension(AutogradExtension.class).passFigures();
    }

    /**
     * {@return whether a worker's device maps say where tensors on devices lie that it sends to
     * another}
     */
    public static boolean mapsDevices(Rpc rpc, String to) {
        return Worker.of(rpc).extension(AutogradExtension.class).mapsDevices(to);
    }

    static ContextContainer contexts(Rpc rpc) {
        return Worker.of(rpc).extension(AutogradExtension.class).contexts();
    }
}
