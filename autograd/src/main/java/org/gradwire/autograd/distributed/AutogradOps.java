package org.gradwire.autograd.distributed;

import org.gradwire.rpc.Builtin;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * The operators of distributed autograd, for script functions. They act on the worker that runs
 * them.
 */
public final class AutogradOps {

    private AutogradOps() {}

    /** Run a backward pass; see {@link AutogradContext#backward(BackwardOptions, Tensor...)}. */
    @Builtin("aten::dist_backward")
    public static void distBackward(long contextId, List<Tensor> roots, boolean keepGraph) {
        backward(BackwardMode.FAST, contextId, roots, keepGraph);
    }

    /**
     * Run a backward pass from a value; see {@link AutogradContext#backward(BackwardOptions,
     * RRef)}.
     */
    @Builtin("aten::rref_backward")
    public static void rrefBackward(@Nullable Object root, long contextId, boolean keepGraph) {
        backward(BackwardMode.FAST, root, contextId, keepGraph);
    }

    /** As {@link #distBackward}, in {@link BackwardMode#SMART}. */
    @Builtin("gradwire::smart_dist_backward")
    public static void smartDistBackward(long contextId, List<Tensor> roots, boolean keepGraph) {
        backward(BackwardMode.SMART, contextId, roots, keepGraph);
    }

    /** As {@link #rrefBackward}, in {@link BackwardMode#SMART}. */
    @Builtin("gradwire::smart_rref_backward")
    public static void smartRrefBackward(@Nullable Object root, long contextId, boolean keepGraph) {
        backward(BackwardMode.SMART, root, contextId, keepGraph);
    }

    private static void backward(
            BackwardMode mode, @Nullable Object root, long contextId, boolean keepGraph) {
        if (!(root instanceof Tensor tensor)) {
            throw new IllegalArgumentException(
                    "RRef should contain a tensor for .backward(), but it contains "
                            + (root == null ? "null" : "a " + root.getClass().getName()));
        }
        backward(mode, contextId, List.of(tensor), keepGraph);
    }

    private static void backward(
            BackwardMode mode, long contextId, List<Tensor> roots, boolean keepGraph) {
        DistAutograd.lookup(Rpc.current(), contextId)
                .backward(new BackwardOptions(mode, keepGraph), roots.toArray(Tensor[]::new));
    }

    /** Return the gradients of a context; see {@link AutogradContext#gradients()}. */
    @Builtin("aten::get_gradients")
    public static Map<Tensor, Tensor> getGradients(long contextId) {
        return DistAutograd.gradients(Rpc.current(), contextId);
    }
}
