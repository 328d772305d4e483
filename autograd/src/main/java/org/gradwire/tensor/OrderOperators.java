package org.gradwire.tensor;

/** The operators of a {@link Tensor} that put elements in order; see also {@link Ops}. */
public sealed interface OrderOperators permits Tensor {

    /** Sort along the last dimension, the smallest first; see {@link #sort(int, boolean)}. */
    default ValuesAndIndices sort() {
        return sort(-1, false);
    }

    /**
     * Sort along a dimension: the elements, and where they were. NaN counts as the largest; equal
     * elements keep their order.
     */
    default ValuesAndIndices sort(int dim, boolean descending) {
        return ValuesAndIndices.of(Ops.sort((Tensor) this, dim, descending));
    }

    /** Return where the sorted elements are along a dimension: int64. */
    default Tensor argsort(int dim, boolean descending) {
        return Ops.argsort((Tensor) this, dim, descending);
    }

    /** Pick the {@code k} largest elements along the last dimension, the largest first. */
    default ValuesAndIndices topk(int k) {
        return topk(k, -1, true);
    }

    /**
     * Pick the {@code k} largest or smallest elements along a dimension, in order, and where they
     * were.
     */
    default ValuesAndIndices topk(int k, int dim, boolean largest) {
        return ValuesAndIndices.of(Ops.topk((Tensor) this, k, dim, largest, /* sorted= */ true));
    }

    /** Pick the {@code k}-th smallest elements along a dimension, counted from 1. */
    default ValuesAndIndices kthvalue(int k, int dim, boolean keepdim) {
        return ValuesAndIndices.of(Ops.kthvalue((Tensor) this, k, dim, keepdim));
    }

    /** Pick the median along a dimension: of an even number the lower one of the middle. */
    default ValuesAndIndices median(int dim, boolean keepdim) {
        return ValuesAndIndices.of(Ops.median((Tensor) this, dim, keepdim));
    }

    /** Multiply all elements up to each one along a dimension. */
    default Tensor cumprod(int dim) {
        return Ops.cumprod((Tensor) this, dim);
    }

    /** Return the different elements, in order, as a vector; each NaN is different. */
    default Tensor unique() {
        return Ops.unique((Tensor) this, true, false, false).getFirst();
    }
}
