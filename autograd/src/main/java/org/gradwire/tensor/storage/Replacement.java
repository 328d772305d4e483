package org.gradwire.tensor.storage;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;

import java.util.Arrays;

/** Checks for replacing the data of a leaf. */
public final class Replacement {

    private Replacement() {}

    public static void check(Tensor leaf, Tensor values) {
        if (!leaf.isLeaf()) {
            throw new IllegalStateException(
                    "data of the result of %s cannot be replaced; only a leaf's can"
                            .formatted(leaf.gradFn()));
        }
        if (leaf.isSparse() || values.isSparse()) {
            throw new IllegalArgumentException(
                    "data of %s cannot be replaced by %s: both must be dense; use toDense()"
                            .formatted(TensorAccess.describe(leaf), TensorAccess.describe(values)));
        }
        if (!Arrays.equals(TensorAccess.dims(leaf), TensorAccess.dims(values))) {
            throw new IllegalArgumentException(
                    "data of %s cannot be replaced by %s: the shapes differ"
                            .formatted(TensorAccess.describe(leaf), TensorAccess.describe(values)));
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
                    "data of %s on %s cannot be replaced by %s on %s while it has a gradient; remove that first: grad(null)"
                            .formatted(
                                    TensorAccess.describe(leaf),
                                    leaf.device(),
                                    TensorAccess.describe(values),
                                    values.device()));
        }
    }
}
