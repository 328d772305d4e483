package org.gradwire.nn.loss;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The smooth L1 loss: {@code difference² / (2 beta)} below {@code beta}, and {@code |difference| -
 * beta / 2} above it.
 *
 * @param beta the threshold between both
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record SmoothL1Loss(double beta, String reduction) implements Loss {

    /** Validates the reduction. */
    public SmoothL1Loss {
        ArgumentChecks.requireReduction(reduction);
    }

    /** Create a layer with PyTorch's defaults. */
    public SmoothL1Loss() {
        this(1, "mean");
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Ops.smoothL1Loss(input, target, reduction, beta);
    }

    @Override
    public String toString() {
        return "SmoothL1Loss()";
    }
}
