package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The divergence of log probabilities from a target of probabilities.
 *
 * @param logTarget whether the target is of log probabilities
 * @param reduction {@code mean}, {@code batchmean} (the sum by the first dimension, NaN for an
 *     empty batch), {@code sum} or {@code none}
 */
@WireValue
public record KLDivLoss(boolean logTarget, String reduction) implements Loss {

    /** Checks the reduction. */
    public KLDivLoss {
        if (!reduction.equals("batchmean")) {
            Parameters.requireReduction(reduction);
        }
    }

    /** Create one with PyTorch's options. */
    public KLDivLoss() {
        this(false, "mean");
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        if (reduction.equals("batchmean")) {
            Tensor sum = Ops.klDiv(input, target, "sum", logTarget);
            return input.dim() == 0 ? sum : sum.div(input.size(0));
        }
        return Ops.klDiv(input, target, reduction, logTarget);
    }

    @Override
    public String toString() {
        return "KLDivLoss()";
    }
}
