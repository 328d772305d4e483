package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** x within 0 and 6, else the bound. */
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
