package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * The leaky rectified linear unit: x, or {@code negativeSlope * x} for negative x.
 *
 * @param negativeSlope the slope for negative x
 */
@WireValue
public record LeakyReLU(double negativeSlope) implements Layer {

    /** Create a layer with a slope of 0.01. */
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
