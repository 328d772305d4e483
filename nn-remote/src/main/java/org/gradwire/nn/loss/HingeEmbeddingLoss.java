package org.gradwire.nn.loss;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The hinge embedding loss: x where the target is 1, and {@code max(0, margin - x)} where it is -1.
 *
 * @param margin the distance above which dissimilar pairs have no loss
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record HingeEmbeddingLoss(double margin, String reduction) implements Loss {

    /** Validates the reduction. */
    public HingeEmbeddingLoss {
        ArgumentChecks.requireReduction(reduction);
    }

    /** Create a layer with PyTorch's defaults. */
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
