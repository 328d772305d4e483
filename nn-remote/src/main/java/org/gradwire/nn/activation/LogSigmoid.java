package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** {@code log(sigmoid(x))}. */
@WireValue
public record LogSigmoid() implements Layer {

    @Override
    public Tensor forward(Tensor input) {
        return input.logSigmoid();
    }

    @Override
    public String toString() {
        return "LogSigmoid()";
    }
}
