package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** Clamps x to the interval from 0 to 6. */
@WireValue
public record ReLU6() implements Layer {

    @Override
    public Tensor forward(Tensor input) {
        return input.relu6();
    }

    @Override
    public String toString() {
        return "ReLU6()";
    }
}
