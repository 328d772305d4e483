package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** The rectified linear unit: {@code max(0, x)}. */
@WireValue
public record ReLU() implements Layer {

    @Override
    public Tensor forward(Tensor input) {
        return input.relu();
    }

    @Override
    public String toString() {
        return "ReLU()";
    }
}
