package org.gradwire.nn.loss;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The negative log likelihood of target classes: input of log probabilities {@code [n, c, ...]},
 * target int64 {@code [n, ...]}.
 *
 * @param weight a factor for each class, or null
 * @param ignoreIndex a class whose targets are ignored
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record NLLLoss(@Nullable Tensor weight, int ignoreIndex, String reduction) implements Loss {

    /** Validates the reduction. */
    public NLLLoss {
        ArgumentChecks.requireReduction(reduction);
    }

    /** Create a layer with PyTorch's defaults. */
    public NLLLoss() {
        this(null, -100, "mean");
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Ops.nllLoss(input, target, weight, reduction, ignoreIndex);
    }

    @Override
    public String toString() {
        return "NLLLoss()";
    }
}
