package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * {@code log(1 + exp(beta * x)) / beta}: a smooth {@link ReLU}.
 *
 * @param beta the sharpness of the transition
 * @param threshold the value of {@code beta * x} above which the result is x
 */
@WireValue
public record Softplus(double beta, double threshold) implements Layer {

    /** Create a layer with PyTorch's defaults. */
    public Softplus() {
        this(1, 20);
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.softplus(beta, threshold);
    }

    @Override
    public String toString() {
        return "Softplus(beta=%s, threshold=%s)".formatted(Repr.whole(beta), Repr.whole(threshold));
    }
}
