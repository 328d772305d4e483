package org.gradwire.tensor;

import java.util.List;

/**
 * The operators that give a {@link Tensor} another shape, or pick a part of it; the same as in
 * {@link Ops}.
 */
public sealed interface ShapeOperators permits Tensor {

    /** View with two dimensions swapped. */
    default Tensor transpose(int dim0, int dim1) {
        return Ops.transpose((Tensor) this, dim0, dim1);
    }

    /** View a matrix as its transpose. */
    default Tensor t() {
        return Ops.t((Tensor) this);
    }

    /** View with another shape, in which one extent may be -1; fails where that needs a copy. */
    default Tensor view(int... size) {
        return Ops.view((Tensor) this, size);
    }

    /** Give another shape, in which one extent may be -1; a view where possible. */
    default Tensor reshape(int... shape) {
        return Ops.reshape((Tensor) this, shape);
    }

    /** View with one more dimension, of extent 1. */
    default Tensor unsqueeze(int dim) {
        return Ops.unsqueeze((Tensor) this, dim);
    }

    /** View without a dimension, if its extent is 1. */
    default Tensor squeeze(int dim) {
        return Ops.squeeze((Tensor) this, dim);
    }

    /** View as if dimensions of extent 1 were repeated; -1 keeps an extent. */
    default Tensor expand(int... size) {
        return Ops.expand((Tensor) this, size);
    }

    /** View a range of a dimension. */
    default Tensor narrow(int dim, int start, int length) {
        return Ops.narrow((Tensor) this, dim, start, length);
    }

    /** View one index of a dimension, which goes away. */
    default Tensor select(int dim, int index) {
        return Ops.select((Tensor) this, dim, index);
    }

    /** View as parts of equal extent along a dimension; the last may be smaller. */
    default List<Tensor> split(int splitSize, int dim) {
        return Ops.split((Tensor) this, splitSize, dim);
    }

    /** Copy; gradients flow through. PyTorch's {@code clone}. */
    default Tensor copy() {
        return Ops.copy((Tensor) this);
    }

    /** Split along the first dimension into parts of an extent. */
    default List<Tensor> split(int splitSize) {
        return Ops.split((Tensor) this, splitSize, 0);
    }

    /** {@return this tensor when it is contiguous, else a copy that is} */
    default Tensor contiguous() {
        Tensor self = (Tensor) this;
        return self.isContiguous() ? self : copy();
    }
}
