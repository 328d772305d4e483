package org.gradwire.nn.loss;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The binary cross entropy of probabilities and targets between 0 and 1.
 *
 * @param weight a factor for each element, or null
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record BCELoss(@Nullable Tensor weight, String reduction) implements Loss {

    /** Validates the reduction. */
    public BCELoss {
        ArgumentChecks.requireReduction(reduction);
    }

    /** Create a layer with PyTorch's defaults. */
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
