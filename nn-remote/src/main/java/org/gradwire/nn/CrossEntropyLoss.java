package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/**
 * The negative log probabilities that scores give to the right classes: input {@code [n, c, ...]},
 * target int64 {@code [n, ...]}, or probabilities of the input's shape.
 *
 * @param weight a factor for each class, or null
 * @param ignoreIndex a class that does not count
 * @param labelSmoothing the part of a target that is spread over all classes
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record CrossEntropyLoss(
        @Nullable Tensor weight, int ignoreIndex, double labelSmoothing, String reduction)
        implements Loss {

    /** Checks the reduction. */
    public CrossEntropyLoss {
        Parameters.requireReduction(reduction);
    }

    /** Create one with PyTorch's options. */
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
