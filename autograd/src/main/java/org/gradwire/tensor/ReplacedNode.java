package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

/**
 * The node of a tensor all of whose elements were replaced in place: their gradient goes to what
 * replaced them, if that has one, and what the tensor was before gets zeros.
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
