package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The cosines of pairs of vectors: {@code 1 - cos} where the target is 1, and {@code max(0, cos -
 * margin)} where it is -1.
 *
 * @param margin the cosine that is small enough
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record CosineEmbeddingLoss(double margin, String reduction) {

    /** Checks the reduction. */
    public CosineEmbeddingLoss {
        Parameters.requireReduction(reduction);
    }

    /** Create one with PyTorch's options. */
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
