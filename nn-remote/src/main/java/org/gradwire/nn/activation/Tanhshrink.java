package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/** {@code x - tanh(x)}. */
@WireValue
public record Tanhshrink() implements Layer {

    @Override
    public Tensor forward(Tensor input) {
        return Ops.tanhshrink(input);
    }

    @Override
    public String toString() {
        return "Tanhshrink()";
    }
}
