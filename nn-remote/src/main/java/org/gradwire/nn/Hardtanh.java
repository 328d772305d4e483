package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * x within bounds, else the bound.
 *
 * @param minVal the lower bound
 * @param maxVal the upper bound
 */
@WireValue
public record Hardtanh(double minVal, double maxVal) implements Layer {

    /** Create one with PyTorch's options. */
    public Hardtanh() {
        this(-1, 1);
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.hardtanh(minVal, maxVal);
    }

    @Override
    public String toString() {
        return "Hardtanh(min_val=%s, max_val=%s)".formatted(Repr.of(minVal), Repr.of(maxVal));
    }
}
