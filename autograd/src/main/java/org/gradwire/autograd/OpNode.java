package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.AutogradAccess.BackwardFunction;
import org.gradwire.tensor.storage.CurrentDevice;
import org.gradwire.tensor.storage.ForwardCall;
import org.jspecify.annotations.Nullable;

/** The backward node of an operator. */
final class OpNode extends Node {
    private final BackwardFunction function;

    OpNode(BackwardFunction function, @Nullable Edge[] edges, @Nullable ForwardCall call) {
        super(edges, call);
        this.function = function;
    }

    @Override
    public String name() {
        return function.nodeName();
    }

    @Override
    protected @Nullable Tensor[] apply(@Nullable Tensor[] gradients) {
        function.checkNotFreed();
        for (Tensor gradient : gradients) {
            if (gradient != null) {
                return CurrentDevice.on(
                        gradient.device(), name(), () -> function.gradients(gradients));
            }
        }
        return new @Nullable Tensor[edges.length];
    }

    @Override
    protected boolean isDoneWithGradients() {
        return true;
    }

    @Override
    protected void releaseSaved() {
        function.free();
    }
}
