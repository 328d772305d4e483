package org.gradwire.tensor;

/** The products of a {@link Tensor} with others; the same as in {@link Ops}. */
public sealed interface MatrixOperators permits Tensor {

    /** Multiply matrices, vectors, or batches of matrices, which broadcast. */
    default Tensor matmul(Tensor other) {
        return Ops.matmul((Tensor) this, other);
    }

    /** Multiply two matrices. */
    default Tensor mm(Tensor mat2) {
        return Ops.mm((Tensor) this, mat2);
    }

    /** Multiply pairs of matrices, {@code [b, m, k]} and {@code [b, k, n]}. */
    default Tensor bmm(Tensor mat2) {
        return Ops.bmm((Tensor) this, mat2);
    }

    /** Multiply a matrix and a vector. */
    default Tensor mv(Tensor vec) {
        return Ops.mv((Tensor) this, vec);
    }

    /** Multiply two vectors and sum. */
    default Tensor dot(Tensor tensor) {
        return Ops.dot((Tensor) this, tensor);
    }

    /** Multiply each element of a vector by each of another. */
    default Tensor outer(Tensor vec2) {
        return Ops.outer((Tensor) this, vec2);
    }

    /** Add a product of matrices: {@code this + mat1 @ mat2}. */
    default Tensor addmm(Tensor mat1, Tensor mat2) {
        return Ops.addmm((Tensor) this, mat1, mat2, 1, 1);
    }

    /** Add the products of two batches of matrices. */
    default Tensor baddbmm(Tensor batch1, Tensor batch2) {
        return Ops.baddbmm((Tensor) this, batch1, batch2, 1, 1);
    }

    /** Multiply and sum over pairs of dimensions; see {@link Ops#tensordot}. */
    default Tensor tensordot(Tensor other, int[] dims, int[] otherDims) {
        return Ops.tensordot((Tensor) this, other, dims, otherDims);
    }
}
