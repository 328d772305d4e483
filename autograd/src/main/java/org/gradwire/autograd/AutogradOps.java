package org.gradwire.autograd;

import org.gradwire.rpc.Builtin;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

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

    /** Return the gradients of a context; see {@link AutogradContext#gradients()}. */
    @Builtin("aten::get_gradients")
    public static Map<Tensor, Tensor> getGradients(long contextId) {
        return DistAutograd.gradients(Rpc.current(), contextId);
    }
}
