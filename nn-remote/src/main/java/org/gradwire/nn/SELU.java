package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** The exponential linear unit that normalizes itself: {@code 1.0507 * elu(x, 1.67326)}. */
@WireValue
public record SELU() implements Layer {

    @Override
    public Tensor forward(Tensor input) {
        return input.selu();
    }

    @Override
    public String toString() {
        return "SELU()";
    }
}
