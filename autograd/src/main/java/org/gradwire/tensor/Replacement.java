package org.gradwire.tensor;

import java.util.Arrays;

/** Whether a leaf may use the memory of another tensor. */
final class Replacement {

    private Replacement() {}

    static void check(Tensor leaf, Tensor values) {
        if (!leaf.isLeaf()) {
            throw new IllegalStateException(
                    "data of the result of %s cannot be replaced; only a leaf's can"
                            .formatted(leaf.gradFn()));
        }
        if (leaf.isSparse() || values.isSparse()) {
            throw new IllegalArgumentException(
                    "data of %s cannot be replaced by %s: both must be dense; use toDense()"
                            .formatted(leaf.describe(), values.describe()));
        }
        if (!Arrays.equals(leaf.dims, values.dims)) {
            throw new IllegalArgumentException(
                    "data of %s cannot be replaced by %s: the shapes differ"
                            .formatted(leaf.describe(), values.describe()));
        }
        if (leaf.requiresGrad() && !values.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "data set to a tensor that requires gradients must be floating point dtype; it is "
                            + values.dtype());
        }
        checkGradient(leaf, values);
    }

    private static void checkGradient(Tensor leaf, Tensor values) {
        Tensor gradient = leaf.grad();
        boolean fits =
                gradient == null
                        || (gradient.dtype() == values.dtype()
                                && gradient.device().equals(values.device()));
        if (!fits) {
            throw new IllegalStateException(
                    "data of %s on %s cannot be replaced by %s on %s while its gradient is there; take that away first: grad(null)"
                            .formatted(
                                    leaf.describe(),
                                    leaf.device(),
                                    values.describe(),
                                    values.device()));
        }
    }
}
