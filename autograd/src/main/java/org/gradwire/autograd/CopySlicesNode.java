package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.sparse.SparseTensors;
import org.gradwire.tensor.storage.CurrentDevice;
import org.gradwire.tensor.storage.ForwardCall;
import org.gradwire.tensor.storage.TensorGeometry;
import org.gradwire.tensor.storage.ThreadState;
import org.jspecify.annotations.Nullable;

/**
 * The node of a tensor of which a view was changed in place: the gradient of the view's elements
 * flows to their new values, that of the other elements to the tensor's previous history.
 */
final class CopySlicesNode extends Node {
    private final TensorGeometry base;
    private final TensorGeometry view;

    /**
     * Create one.
     *
     * @param before where the gradient of the base flowed to, if anywhere
     * @param values where the gradient of the view's new elements flows to, if anywhere
     */
    CopySlicesNode(Tensor base, Tensor view, @Nullable Edge before, @Nullable Edge values) {
        super(new @Nullable Edge[] {before, values}, ForwardCall.current(ThreadState.current()));
        this.base = TensorGeometry.of(base);
        this.view = TensorGeometry.of(view);
    }

    @Override
    public String name() {
        return "CopySlices";
    }

    @Override
    protected @Nullable Tensor[] apply(@Nullable Tensor[] gradients) {
        Tensor gradient = gradients[0];
        return gradient == null
                ? new @Nullable Tensor[edges.length]
                : CurrentDevice.on(gradient.device(), () -> divide(gradient));
    }

    private @Nullable Tensor[] divide(Tensor gradient) {
        Tensor whole = base.allocate(gradient.dtype(), /* cleared= */ false);
        Elementwise.copyInto(whole, SparseTensors.densified(gradient));
        Tensor part = view.within(whole, base);
        Tensor ofValues = edges[1] == null ? null : Elementwise.copy(part);
        Elementwise.fill(part, 0);
        return new @Nullable Tensor[] {edges[0] == null ? null : whole, ofValues};
    }
}
