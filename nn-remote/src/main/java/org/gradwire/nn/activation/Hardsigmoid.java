package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** {@code relu6(x + 3) / 6}. */
@WireValue
public record Hardsigmoid() implements Layer {

    @Override
    public Tensor forward(Tensor input) {
        return input.hardsigmoid();
    }

    @Override
    public String toString() {
        return "Hardsigmoid()";
    }
}
