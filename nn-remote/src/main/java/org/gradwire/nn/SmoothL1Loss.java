package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The squares of small differences, divided by twice {@code beta}, and large ones less half of it.
 *
 * @param beta where a difference is large
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record SmoothL1Loss(double beta, String reduction) implements Loss {

    /** Checks the reduction. */
    public SmoothL1Loss {
        Parameters.requireReduction(reduction);
    }

    /** Create one with PyTorch's options. */
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
