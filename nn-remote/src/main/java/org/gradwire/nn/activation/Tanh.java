package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** The hyperbolic tangent. */
@WireValue
public record Tanh() implements Layer {

    @Override
    public Tensor forward(Tensor input) {
        return input.tanh();
    }

    @Override
    public String toString() {
        return "Tanh()";
    }
}
