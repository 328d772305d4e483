package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** {@code x * tanh(softplus(x))}. */
@WireValue
public record Mish() implements Layer {

    @Override
    public Tensor forward(Tensor input) {
        return input.mish();
    }

    @Override
    public String toString() {
        return "Mish()";
    }
}
