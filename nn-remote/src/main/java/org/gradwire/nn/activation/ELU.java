package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * The exponential linear unit: x, or {@code alpha * (exp(x) - 1)} for negative x.
 *
 * @param alpha the negative of the smallest result
 */
@WireValue
public record ELU(double alpha) implements Layer {

    /** Create a layer with PyTorch's defaults. */
    public ELU() {
        this(1);
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.elu(alpha);
    }

    @Override
    public String toString() {
        return "ELU(alpha=" + Repr.of(alpha) + ")";
    }
}
