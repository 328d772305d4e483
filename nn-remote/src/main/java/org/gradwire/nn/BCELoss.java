package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The cross entropy of probabilities and targets between 0 and 1.
 *
 * @param weight a factor for each element, or null
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record BCELoss(@Nullable Tensor weight, String reduction) implements Loss {

    /** Checks the reduction. */
    public BCELoss {
        Parameters.requireReduction(reduction);
    }

    /** Create one with PyTorch's options. */
    public BCELoss() {
        this(null, "mean");
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Ops.bceLoss(input, target, weight, reduction);
    }

    @Override
    public String toString() {
        return "BCELoss()";
    }
}
