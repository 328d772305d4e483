package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The squares of the differences.
 *
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record MSELoss(String reduction) implements Loss {

    /** Checks the reduction. */
    public MSELoss {
        Parameters.requireReduction(reduction);
    }

    /** Create one with PyTorch's options. */
    public MSELoss() {
        this("mean");
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Ops.mseLoss(input, target, reduction);
    }

    @Override
    public String toString() {
        return "MSELoss()";
    }
}
