package org.gradwire.tensor;

import org.gradwire.tensor.sparse.SparseTensors;
import org.gradwire.tensor.storage.SparseStorage;

/**
 * Sparse operators of a {@link Tensor}: conversion from and to dense, and access to indices and
 * values. Those marked sparse only fail with an {@link IllegalArgumentException} on a dense tensor.
 *
 * <p>Sparse tensors can be added, subtracted and multiplied with each other, added to dense ones
 * and multiplied with them; multiplied and divided by numbers; negated, summed, stacked,
 * concatenated, narrowed, selected from, copied and converted. Other operators say that they are
 * not implemented for them.
 */
public sealed interface SparseOperators permits Tensor {

    /** {@return the memory layout} */
    default Layout layout() {
        return isSparse() ? Layout.SPARSE_COO : Layout.STRIDED;
    }

    /** {@return whether only some elements are held, with their coordinates} */
    default boolean isSparse() {
        return ((Tensor) this).storage() instanceof SparseStorage;
    }

    /** {@return the number of sparse dimensions; sparse only} */
    default int sparseDim() {
        return SparseStorage.of((Tensor) this, "sparseDim").sparseDim();
    }

    /** {@return the number of dense dimensions, the last ones; sparse only} */
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
     * View the stored indices, coalesced or not, in any order; sparse only. PyTorch's {@code
     * _indices}. They must not be changed.
     */
    default Tensor heldIndices() {
        return SparseStorage.of((Tensor) this, "heldIndices").indices().detach();
    }

    /**
     * View the stored values, coalesced or not; sparse only. Without history. PyTorch's {@code
     * _values}.
     */
    default Tensor heldValues() {
        return SparseStorage.of((Tensor) this, "heldValues").values().detach();
    }
}
