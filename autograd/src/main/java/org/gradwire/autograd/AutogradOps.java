package org.gradwire.autograd;

import org.gradwire.rpc.Builtin;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/**
 * Distributed autograd as builtin operators, for script functions. They act on the worker that runs
 * them.
 */
public final class AutogradOps {

    private AutogradOps() {}

    /** Run a backward pass; see {@link AutogradContext#backward(boolean, List)}. */
    @Builtin("aten::dist_backward")
    public static void distBackward(long contextId, List<Tensor> roots, boolean keepGraph) {
        DistAutograd.backward(Rpc.current(), contextId, roots, keepGraph);
    }

    /** Run a backward pass from a value; see {@link AutogradContext#backward(RRef, boolean)}. */
    @Builtin("aten::rref_backward")
    public static void rrefBackward(@Nullable Object root, long contextId, boolean keepGraph) {
        backward(BackwardMode.FAST, root, contextId, keepGraph);
    }

    /** As {@link #distBackward}, in {@link BackwardMode#SMART}. */
    @Builtin("gradwire::smart_dist_backward")
    public static void smartDistBackward(long contextId, List<Tensor> roots, boolean keepGraph) {
        DistAutograd.backward(Rpc.current(), contextId, roots, keepGraph, BackwardMode.SMART);
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
        DistAutograd.backward(Rpc.current(), contextId, List.of(tensor), keepGraph, mode);
    }

    /** Return the gradients of a context; see {@link AutogradContext#gradients()}. */
    @Builtin("aten::get_gradients")
    public static Map<Tensor, Tensor> getGradients(long contextId) {
        return DistAutograd.gradients(Rpc.current(), contextId);
    }
}
