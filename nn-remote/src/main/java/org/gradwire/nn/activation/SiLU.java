package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** {@code x * sigmoid(x)}. */
@WireValue
public record SiLU() implements Layer {

    @Override
    public Tensor forward(Tensor input) {
        return input.silu();
    }

    @Override
    public String toString() {
        return "SiLU()";
    }
}
