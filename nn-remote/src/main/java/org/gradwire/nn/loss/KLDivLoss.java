package org.gradwire.nn.loss;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The Kullback-Leibler divergence of an input of log probabilities from a target of probabilities.
 *
 * @param logTarget whether the target is of log probabilities
 * @param reduction {@code mean}, {@code batchmean} (the sum by the first dimension, NaN for an
 *     empty batch), {@code sum} or {@code none}
 */
@WireValue
public record KLDivLoss(boolean logTarget, String reduction) implements Loss {

    /** Validates the reduction. */
    public KLDivLoss {
        if (!reduction.equals("batchmean")) {
            ArgumentChecks.requireReduction(reduction);
        }
    }

    /** Create a layer with PyTorch's defaults. */
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
