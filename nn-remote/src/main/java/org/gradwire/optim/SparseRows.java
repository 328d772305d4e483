package org.gradwire.optim;

import org.gradwire.tensor.Tensor;

/** Reads and updates the elements of dense tensors at the indices of a coalesced sparse tensor. */
final class SparseRows {

    private SparseRows() {}

    /**
     * Return copies of the elements at the indices, laid out as the values of the sparse tensor.
     */
    static Tensor of(Tensor dense, Tensor sparse) {
        Tensor indices = sparse.indices();
        int sparseDim = sparse.sparseDim();
        Tensor rows = indices.select(0, 0);
        for (int d = 1; d < sparseDim; d++) {
            rows = rows.mul(dense.size(d)).add(indices.select(0, d));
        }
        return dense.flatten(0, sparseDim - 1).indexSelect(0, rows);
    }

    /** Add a multiple of values to the elements at the indices. */
    static void add(Tensor dense, Tensor sparse, Tensor values, double alpha) {
        dense.add_(
                Tensor.sparseCoo(sparse.indices(), values, /* coalesced= */ true, sparse.shape()),
                alpha);
    }
}
