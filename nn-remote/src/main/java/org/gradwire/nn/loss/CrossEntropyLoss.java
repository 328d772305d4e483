package org.gradwire.nn.loss;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The cross entropy of logits and target classes: input {@code [n, c, ...]}, target int64 {@code
 * [n, ...]}, or probabilities of the input's shape.
 *
 * @param weight a factor for each class, or null
 * @param ignoreIndex a class whose targets are ignored
 * @param labelSmoothing the share of a target's probability that is spread over all classes
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record CrossEntropyLoss(
        @Nullable Tensor weight, int ignoreIndex, double labelSmoothing, String reduction)
        implements Loss {

    /** Validates the reduction. */
    public CrossEntropyLoss {
        ArgumentChecks.requireReduction(reduction);
    }

    /** Create a layer with PyTorch's defaults. */
    public CrossEntropyLoss() {
        this(null, -100, 0, "mean");
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Ops.crossEntropy(input, target, weight, reduction, ignoreIndex, labelSmoothing);
    }

    @Override
    public String toString() {
        return "CrossEntropyLoss()";
    }
}
