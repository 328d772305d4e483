package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * x, or {@code alpha * (exp(x) - 1)} where it is negative.
 *
 * @param alpha the negative of the smallest result
 */
@WireValue
public record ELU(double alpha) implements Layer {

    /** Create one with PyTorch's options. */
    public ELU() {
        this(1);
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.elu(alpha);
    }

    @Override
    public String toString() {
        return "ELU(alpha=" + Repr.of(alpha) + ")";
    }
}
