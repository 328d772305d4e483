package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * {@code max(0, x) + min(0, alpha * (exp(x / alpha) - 1))}.
 *
 * @param alpha the negative of the smallest result
 */
@WireValue
public record CELU(double alpha) implements Layer {

    /** Create a layer with PyTorch's defaults. */
    public CELU() {
        this(1);
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.celu(alpha);
    }

    @Override
    public String toString() {
        return "CELU(alpha=" + Repr.of(alpha) + ")";
    }
}
