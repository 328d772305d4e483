package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * The absolute differences.
 *
 * @param reduction {@code mean}, {@code sum} or {@code none}
 */
@WireValue
public record L1Loss(String reduction) implements Loss {

    /** Checks the reduction. */
    public L1Loss {
        Parameters.requireReduction(reduction);
    }

    /** Create one with PyTorch's options. */
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
