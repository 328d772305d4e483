package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The element where the target is 1, and {@code max(0, margin - x)} where it is -1.
 *
 * @param margin the least distance of what is not alike
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record HingeEmbeddingLoss(double margin, String reduction) implements Loss {

    /** Checks the reduction. */
    public HingeEmbeddingLoss {
        Parameters.requireReduction(reduction);
    }

    /** Create one with PyTorch's options. */
    public HingeEmbeddingLoss() {
        this(1, "mean");
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Ops.hingeEmbeddingLoss(input, target, margin, reduction);
    }

    @Override
    public String toString() {
        return "HingeEmbeddingLoss()";
    }
}
