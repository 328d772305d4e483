package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * {@code log(1 + exp(-target * x))}, for targets of 1 and -1.
 *
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record SoftMarginLoss(String reduction) implements Loss {

    /** Checks the reduction. */
    public SoftMarginLoss {
        Parameters.requireReduction(reduction);
    }

    /** Create one with PyTorch's options. */
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
