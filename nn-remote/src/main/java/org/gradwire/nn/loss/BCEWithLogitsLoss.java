package org.gradwire.nn.loss;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The binary cross entropy of logits and targets between 0 and 1.
 *
 * @param weight a factor for each element, or null
 * @param posWeight a factor for the targets of each class, or null
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record BCEWithLogitsLoss(
        @Nullable Tensor weight, @Nullable Tensor posWeight, String reduction) implements Loss {

    /** Validates the reduction. */
    public BCEWithLogitsLoss {
        ArgumentChecks.requireReduction(reduction);
    }

    /** Create a layer with PyTorch's defaults. */
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
