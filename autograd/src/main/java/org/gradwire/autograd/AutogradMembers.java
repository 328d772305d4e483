package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.AutogradAccess;
import org.gradwire.tensor.access.AutogradAccess.BackwardFunction;
import org.gradwire.tensor.storage.ForwardCall;
import org.jspecify.annotations.Nullable;

/** The members that {@link AutogradAccess} exposes to this module's other packages. */
final class AutogradMembers implements AutogradAccess.Members {
    @Override
    public Node newOpNode(
            BackwardFunction function, @Nullable Edge[] edges, @Nullable ForwardCall call) {
        return new OpNode(function, edges, call);
    }

    @Override
    public Node newReplacedNode(String name, @Nullable Edge before, @Nullable Edge values) {
        return new ReplacedNode(name, before, values);
    }

    @Override
    public Node newCopySlicesNode(
            Tensor base, Tensor view, @Nullable Edge before, @Nullable Edge values) {
        return new CopySlicesNode(base, view, before, values);
    }

    @Override
    public Node newAsStridedNode(Tensor base, Tensor view) {
        return new AsStridedNode(base, view);
    }

    @Override
    public int addInput(Node node, Tensor tensor) {
        return node.addInput(tensor);
    }

    @Override
    public void retainGrad(Node node, int index, @Nullable Tensor tensor) {
        node.retainGrad(index, tensor);
    }

    @Override
    public boolean retainsGrad(Node node, int index) {
        return node.retainsGrad(index);
    }

    @Override
    public HookHandle addTensorHook(Node node, int index, Node.TensorHook hook) {
        return node.addTensorHook(index, hook);
    }

    @Override
    public void variableChanged(AccumulateGrad accumulator) {
        accumulator.variableChanged();
    }

    @Override
    public void backward(Tensor root, @Nullable Tensor gradient, boolean retainGraph) {
        Gradients.backward(root, gradient, retainGraph);
    }
}
