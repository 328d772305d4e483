package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/** {@code x / (1 + |x|)}. */
@WireValue
public record Softsign() implements Layer {

    @Override
    public Tensor forward(Tensor input) {
        return input.softsign();
    }

    @Override
    public String toString() {
        return "Softsign()";
    }
}
