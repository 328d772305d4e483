package org.gradwire.nn.loss;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The Huber loss: half the square of differences below {@code delta}, and {@code delta *
 * (|difference| - delta / 2)} above it.
 *
 * @param delta the threshold between both
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record HuberLoss(double delta, String reduction) implements Loss {

    /** Validates the reduction. */
    public HuberLoss {
        ArgumentChecks.requireReduction(reduction);
    }

    /** Create a layer with PyTorch's defaults. */
    public HuberLoss() {
        this(1, "mean");
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Ops.huberLoss(input, target, reduction, delta);
    }

    @Override
    public String toString() {
        return "HuberLoss()";
    }
}
