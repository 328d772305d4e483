package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * x, or a part of it where it is negative.
 *
 * @param negativeSlope that part
 */
@WireValue
public record LeakyReLU(double negativeSlope) implements Layer {

    /** Create one with a slope of 0.01. */
    public LeakyReLU() {
        this(0.01);
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.leakyRelu(negativeSlope);
    }

    @Override
    public String toString() {
        return "LeakyReLU(negative_slope=" + Repr.of(negativeSlope) + ")";
    }
}
