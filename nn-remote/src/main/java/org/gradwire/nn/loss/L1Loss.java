package org.gradwire.nn.loss;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The mean absolute error.
 *
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record L1Loss(String reduction) implements Loss {

    /** Validates the reduction. */
    public L1Loss {
        ArgumentChecks.requireReduction(reduction);
    }

    /** Create a layer with PyTorch's defaults. */
    public L1Loss() {
        this("mean");
    }

    @Override
    public Tensor forward(Tensor input, Tensor target) {
        return Ops.l1Loss(input, target, reduction);
    }

    @Override
    public String toString() {
        return "L1Loss()";
    }
}
