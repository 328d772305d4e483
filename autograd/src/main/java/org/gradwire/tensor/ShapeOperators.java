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

    /** Copy; gradients flow through. {@code clone()} is the same. */
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

    /** View with the dimensions in another order. */
    default Tensor permute(int... dims) {
        return Ops.permute((Tensor) this, dims);
    }

    /** View with a dimension moved to another place; the others keep their order. */
    default Tensor movedim(int source, int destination) {
        return movedim(new int[] {source}, new int[] {destination});
    }

    /** View with some dimensions moved to other places; the others keep their order. */
    default Tensor movedim(int[] source, int[] destination) {
        return Ops.movedim((Tensor) this, source, destination);
    }

    /** View without the dimensions of extent 1. */
    default Tensor squeeze() {
        return Ops.squeeze((Tensor) this);
    }

    /** Make all dimensions one; a view where possible. */
    default Tensor flatten() {
        return flatten(0, -1);
    }

    /** Make one dimension of a range of them, both ends included; a view where possible. */
    default Tensor flatten(int startDim, int endDim) {
        return Ops.flatten((Tensor) this, startDim, endDim);
    }

    /** View with one dimension as several, of which one extent may be -1. */
    default Tensor unflatten(int dim, int... sizes) {
        return Ops.unflatten((Tensor) this, dim, sizes);
    }

    /** View as parts of given extents along a dimension. */
    default List<Tensor> split(int[] splitSizes, int dim) {
        return Ops.split((Tensor) this, splitSizes, dim);
    }

    /** View as at most so many parts of equal extent along a dimension; the last may be smaller. */
    default List<Tensor> chunk(int chunks, int dim) {
        return Ops.chunk((Tensor) this, chunks, dim);
    }

    /** View as the slices at each index of a dimension, which goes away. */
    default List<Tensor> unbind(int dim) {
        return Ops.unbind((Tensor) this, dim);
    }

    /** View the main diagonal of the first two dimensions, as a last dimension. */
    default Tensor diagonal() {
        return diagonal(0, 0, 1);
    }

    /** View a diagonal of two dimensions as a last one; a positive offset is above the main one. */
    default Tensor diagonal(int offset, int dim1, int dim2) {
        return Ops.diagonal((Tensor) this, offset, dim1, dim2);
    }

    /** As {@link #expand}, to the shape of another tensor. */
    default Tensor expandAs(Tensor other) {
        return Ops.expandAs((Tensor) this, other);
    }

    /** As {@link #view}, with the shape of another tensor. */
    default Tensor viewAs(Tensor other) {
        return Ops.viewAs((Tensor) this, other);
    }

    /** The same as {@link #expand}. */
    default Tensor broadcastTo(int... size) {
        return Ops.broadcastTo((Tensor) this, size);
    }

    /** Repeat the whole along each dimension; more counts than dimensions add dimensions. */
    default Tensor repeat(int... repeats) {
        return Ops.repeat((Tensor) this, repeats);
    }

    /** Reverse the order along dimensions. A copy. */
    default Tensor flip(int... dims) {
        return Ops.flip((Tensor) this, dims);
    }

    /** Shift the elements in row-major order; what leaves at one end enters at the other. */
    default Tensor roll(int shift) {
        return Ops.roll((Tensor) this, new int[] {shift}, new int[0]);
    }

    /** Shift along a dimension; what leaves at one end enters at the other. */
    default Tensor roll(int shift, int dim) {
        return Ops.roll((Tensor) this, new int[] {shift}, new int[] {dim});
    }

    /** Keep what is on and below the diagonal of each matrix, with zeros above. */
    default Tensor tril() {
        return tril(0);
    }

    /** Keep what is on and below a diagonal of each matrix, with zeros above. */
    default Tensor tril(int diagonal) {
        return Ops.tril((Tensor) this, diagonal);
    }

    /** Keep what is on and above the diagonal of each matrix, with zeros below. */
    default Tensor triu() {
        return triu(0);
    }

    /** Keep what is on and above a diagonal of each matrix, with zeros below. */
    default Tensor triu(int diagonal) {
        return Ops.triu((Tensor) this, diagonal);
    }

    /** Copy the diagonal of a matrix, or make the matrix that has this vector on its diagonal. */
    default Tensor diag() {
        return Ops.diag((Tensor) this, 0);
    }

    /** Repeat each element along a dimension, one copy beside the other. */
    default Tensor repeatInterleave(int repeats, int dim) {
        return Ops.repeatInterleave((Tensor) this, repeats, dim);
    }
}
