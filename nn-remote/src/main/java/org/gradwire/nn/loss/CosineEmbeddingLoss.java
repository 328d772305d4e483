package org.gradwire.nn.loss;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The cosine embedding loss: {@code 1 - cos} where the target is 1, and {@code max(0, cos -
 * margin)} where it is -1.
 *
 * @param margin the cosine below which dissimilar pairs have no loss
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record CosineEmbeddingLoss(double margin, String reduction) {

    /** Validates the reduction. */
    public CosineEmbeddingLoss {
        ArgumentChecks.requireReduction(reduction);
    }

    /** Create a layer with PyTorch's defaults. */
    public CosineEmbeddingLoss() {
        this(0, "mean");
    }

    /** Compute the loss of two inputs {@code [n, d]} and a target {@code [n]}. */
    public Tensor forward(Tensor input1, Tensor input2, Tensor target) {
        return Ops.cosineEmbeddingLoss(input1, input2, target, margin, reduction);
    }

    @Override
    public String toString() {
        return "CosineEmbeddingLoss()";
    }
}
