package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * Half the squares of small differences, and {@code delta} times large ones less half of it.
 *
 * @param delta where a difference is large
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record HuberLoss(double delta, String reduction) implements Loss {

    /** Checks the reduction. */
    public HuberLoss {
        Parameters.requireReduction(reduction);
    }

    /** Create one with PyTorch's options. */
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
