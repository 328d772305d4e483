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
}
