package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The cross entropy of the sigmoids of scores and targets between 0 and 1.
 *
 * @param weight a factor for each element, or null
 * @param posWeight a factor for the targets of each class, or null
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record BCEWithLogitsLoss(
        @Nullable Tensor weight, @Nullable Tensor posWeight, String reduction) implements Loss {

    /** Checks the reduction. */
    public BCEWithLogitsLoss {
        Parameters.requireReduction(reduction);
    }

    /** Create one with PyTorch's options. */
    public BCEWithLogitsLoss() {
        this(null, null, "mean");
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Ops.bceWithLogits(input, target, weight, posWeight, reduction);
    }

    @Override
    public String toString() {
        return "BCEWithLogitsLoss()";
    }
}
