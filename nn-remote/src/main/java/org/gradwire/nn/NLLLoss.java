package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The negative log probabilities of the right classes: input {@code [n, c, ...]}, target int64
 * {@code [n, ...]}.
 *
 * @param weight a factor for each class, or null
 * @param ignoreIndex a class that does not count
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record NLLLoss(@Nullable Tensor weight, int ignoreIndex, String reduction) implements Loss {

    /** Checks the reduction. */
    public NLLLoss {
        Parameters.requireReduction(reduction);
    }

    /** Create one with PyTorch's options. */
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
