package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.storage.ForwardCall;
import org.gradwire.tensor.storage.ThreadState;
import org.jspecify.annotations.Nullable;

/**
 * The node of a tensor whose elements were all replaced in place: the gradient flows to the new
 * values, if they require one, and zeros flow to the tensor's previous history.
 */
final class ReplacedNode extends Node {
    private final String name;

    ReplacedNode(String name, @Nullable Edge before, @Nullable Edge values) {
        super(new @Nullable Edge[] {before, values}, ForwardCall.current(ThreadState.current()));
        this.name = name;
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    protected @Nullable Tensor[] apply(@Nullable Tensor[] gradients) {
        Tensor ofBefore = edges[0] == null ? null : zeroGradient(0);
        return new @Nullable Tensor[] {ofBefore, edges[1] == null ? null : gradients[0]};
    }
}
