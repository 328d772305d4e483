package org.gradwire.autograd;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.sparse.SparseTensors;
import org.gradwire.tensor.storage.CurrentDevice;
import org.gradwire.tensor.storage.ForwardCall;
import org.gradwire.tensor.storage.TensorGeometry;
import org.gradwire.tensor.storage.ThreadState;
import org.jspecify.annotations.Nullable;

/**
 * The node of a view whose base was changed in place: scatters the view's gradient into the
 * elements of the base.
 */
final class AsStridedNode extends Node {
    private final TensorGeometry base;
    private final TensorGeometry view;

    AsStridedNode(Tensor base, Tensor view) {
        super(new @Nullable Edge[] {Edge.of(base)}, ForwardCall.current(ThreadState.current()));
        this.base = TensorGeometry.of(base);
        this.view = TensorGeometry.of(view);
    }

    @Override
    public String name() {
        return "AsStridedBackward0";
    }

    @Override
    protected @Nullable Tensor[] apply(@Nullable Tensor[] gradients) {
        Tensor gradient = gradients[0];
        return new @Nullable Tensor[] {
            gradient == null ? null : CurrentDevice.on(gradient.device(), () -> spread(gradient))
        };
    }

    private Tensor spread(Tensor given) {
        Tensor gradient = SparseTensors.densified(given);
        Tensor whole = base.allocate(gradient.dtype(), /* cleared= */ true);
        Tensor part = view.within(whole, base);
        if (view.mayOverlap()) {
            add(gradient, part, whole);
        } else {
            Elementwise.copyInto(part, gradient);
        }
        return whole;
    }

    /** Add elements at indices that may repeat. */
    private static void add(Tensor gradient, Tensor part, Tensor whole) {
        int places = TensorAccess.storage(whole).length();
        Tensor numbers = Tensor.arange(places);
        Tensor line = TensorAccess.contiguousView(TensorAccess.storage(whole), new int[] {places});
        Tensor at =
                TensorAccess.viewOfOwn(
                        TensorAccess.storage(numbers),
                        TensorAccess.offset(part),
                        TensorAccess.dims(part),
                        TensorAccess.strides(part));
        Tensor sums =
                line.scatterAdd(
                        0,
                        TensorAccess.viewAs(Elementwise.copy(at), at.numel()),
                        TensorAccess.reshaped(gradient, at.numel()));
        Elementwise.copyInto(line, sums);
    }
}
