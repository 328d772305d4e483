package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** The larger of x and 0. */
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
