package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * {@code log(1 + exp(beta * x)) / beta}: a smooth {@link ReLU}.
 *
 * @param beta how sharp the bend is
 * @param threshold above which {@code beta * x} gives x itself
 */
@WireValue
public record Softplus(double beta, double threshold) implements Layer {

    /** Create one with PyTorch's options. */
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
