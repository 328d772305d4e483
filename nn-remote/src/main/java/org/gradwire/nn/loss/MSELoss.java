package org.gradwire.nn.loss;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The mean squared error.
 *
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record MSELoss(String reduction) implements Loss {

    /** Validates the reduction. */
    public MSELoss {
        ArgumentChecks.requireReduction(reduction);
    }

    /** Create a layer with PyTorch's defaults. */
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
