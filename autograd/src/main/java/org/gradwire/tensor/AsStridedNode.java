package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

/**
 * The node of a view whose base was changed in place: gives the elements of the base their part of
 * the view's gradient.
 */
final class AsStridedNode extends Node {
    private final Geometry base;
    private final Geometry view;

    AsStridedNode(Tensor base, Tensor view) {
        super(new @Nullable Edge[] {Edge.of(base)}, ForwardCall.current(ThreadState.current()));
        this.base = Geometry.of(base);
        this.view = Geometry.of(view);
    }

    @Override
    public String name() {
        return "AsStridedBackward0";
    }

    @Override
    protected @Nullable Tensor[] apply(@Nullable Tensor[] gradients) {
        Tensor gradient = gradients[0];
        return new @Nullable Tensor[] {
            gradient == null ? null : Devices.on(gradient.device(), () -> spread(gradient))
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

    /** Add elements to places of which some may be named several times. */
    private static void add(Tensor gradient, Tensor part, Tensor whole) {
        int places = whole.storage().length();
        Tensor numbers = Tensor.arange(places);
        Tensor line = Tensor.contiguousView(whole.storage(), new int[] {places});
        Tensor at = Tensor.viewOfOwn(numbers.storage(), part.offset, part.dims, part.strides);
        Tensor sums =
                line.scatterAdd(
                        0, Elementwise.copy(at).viewAs(at.numel()), gradient.reshaped(at.numel()));
        Elementwise.copyInto(line, sums);
    }
}
