package org.gradwire.tensor;

/**
 * What a {@link Tensor} has for sparse layouts: turning it into one and back, and looking at its
 * indices and values. Where it says sparse only, a dense tensor fails with an {@link
 * IllegalArgumentException}.
 *
 * <p>Sparse tensors can be added, subtracted and multiplied with each other, added to dense ones
 * and multiplied with them; multiplied and divided by numbers; negated, summed, stacked,
 * concatenated, narrowed, selected from, copied and converted. Other operators say that they are
 * not implemented for them.
 */
public sealed interface SparseOperators permits Tensor {

    /** {@return how the elements are held} */
    default Layout layout() {
        return isSparse() ? Layout.SPARSE_COO : Layout.STRIDED;
    }

    /** {@return whether only some elements are held, with their coordinates} */
    default boolean isSparse() {
        return ((Tensor) this).storage() instanceof SparseStorage;
    }

    /** {@return the number of dimensions that indices tell; sparse only} */
    default int sparseDim() {
        return SparseStorage.of((Tensor) this, "sparseDim").sparseDim();
    }

    /** {@return the number of dimensions that the values have, the last ones; sparse only} */
    default int denseDim() {
        return ((Tensor) this).dims.length - sparseDim();
    }

    /** {@return the number of columns of indices, each with its values; sparse only} */
    default int nnz() {
        return SparseStorage.of((Tensor) this, "nnz").nnz();
    }

    /**
     * {@return whether the columns of indices are known to ascend, and none comes twice; sparse
     * only}
     */
    default boolean isCoalesced() {
        return SparseStorage.of((Tensor) this, "isCoalesced").coalesced();
    }

    /** Sort the indices, and sum what has the same ones. Gives a coalesced tensor itself. */
    default Tensor coalesce() {
        return Ops.coalesce((Tensor) this);
    }

    /**
     * View the indices, int64 {@code [sparseDim, nnz]}; sparse only.
     *
     * @throws IllegalStateException when the tensor is not coalesced
     */
    default Tensor indices() {
        SparseStorage held = SparseStorage.of((Tensor) this, "indices");
        SparseTensors.checkCoalesced(held, "indices");
        return held.indices().detach();
    }

    /**
     * View the values, {@code [nnz, dense dimensions...]}; gradients flow through. Sparse only.
     *
     * @throws IllegalStateException when the tensor is not coalesced
     */
    default Tensor values() {
        return Ops.values((Tensor) this);
    }

    /**
     * View the indices as they are held, coalesced or not, in any order; sparse only. PyTorch's
     * {@code _indices}. They must not be changed.
     */
    default Tensor heldIndices() {
        return SparseStorage.of((Tensor) this, "heldIndices").indices().detach();
    }

    /**
     * View the values as they are held, coalesced or not; sparse only. Without history. PyTorch's
     * {@code _values}.
     */
    default Tensor heldValues() {
        return SparseStorage.of((Tensor) this, "heldValues").values().detach();
    }

    /** Give the same elements as a dense tensor; gives a dense one itself. */
    default Tensor toDense() {
        return Ops.toDense((Tensor) this);
    }

    /** Give the elements that are not zero as a sparse tensor; gives a sparse one itself. */
    default Tensor toSparse() {
        return Ops.toSparse((Tensor) this);
    }

    /**
     * As {@link #toSparse()}, with only the first dimensions sparse: blocks of the others are held
     * that are not all zero. Gives a sparse tensor itself if it has as many sparse dimensions, and
     * refuses it otherwise.
     */
    default Tensor toSparse(int sparseDim) {
        return Ops.toSparse((Tensor) this, sparseDim);
    }
}
