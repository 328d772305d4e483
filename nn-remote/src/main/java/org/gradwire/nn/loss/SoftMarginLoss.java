package org.gradwire.nn.loss;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The soft margin loss, {@code log(1 + exp(-target * x))}, for targets of 1 and -1.
 *
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record SoftMarginLoss(String reduction) implements Loss {

    /** Validates the reduction. */
    public SoftMarginLoss {
        ArgumentChecks.requireReduction(reduction);
    }

    /** Create a layer with PyTorch's defaults. */
    public SoftMarginLoss() {
        this("mean");
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Ops.softMarginLoss(input, target, reduction);
    }

    @Override
    public String toString() {
        return "SoftMarginLoss()";
    }
}
