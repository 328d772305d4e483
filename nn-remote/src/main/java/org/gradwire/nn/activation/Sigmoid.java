package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** {@code 1 / (1 + exp(-x))}. */
@WireValue
public record Sigmoid() implements Layer {

    @Override
    public Tensor forward(Tensor input) {
        return input.sigmoid();
    }

    @Override
    public String toString() {
        return "Sigmoid()";
    }
}
