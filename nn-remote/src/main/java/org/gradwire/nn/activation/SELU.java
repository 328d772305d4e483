package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * The scaled exponential linear unit, which is self-normalizing: {@code 1.0507 * elu(x, 1.67326)}.
 */
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
