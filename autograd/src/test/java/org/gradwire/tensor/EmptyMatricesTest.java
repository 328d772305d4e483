package org.gradwire.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;

import static java.util.Objects.requireNonNull;

import org.junit.jupiter.api.Test;

/** Products of matrices without elements. */
class EmptyMatricesTest {

    @Test
    void gradientsOfAMatrixWithoutColumnsAreZero() {
        Tensor x = Tensor.ones(4, 1).requiresGrad(true);
        x.mm(Tensor.zeros(1, 0)).sum(0).sum().backward();
        assertArrayEquals(new double[4], requireNonNull(x.grad()).toDoubleArray());
    }

    /** An expanded tensor has strides of 0, also where it has no elements. */
    @Test
    void expandedMatricesWithoutColumnsAreMultiplied() {
        Tensor wide = Tensor.zeros(1, 0).expand(4, 0);
        Tensor product = wide.mm(Tensor.zeros(0, 3));
        assertArrayEquals(new int[] {4, 3}, product.shape());
        assertArrayEquals(new double[12], product.toDoubleArray());
        Tensor batches = Ops.bmm(wide.expand(2, 4, 0), Tensor.zeros(2, 0, 3));
        assertArrayEquals(new double[24], batches.toDoubleArray());
    }
}
