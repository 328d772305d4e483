package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * Clamps x to an interval.
 *
 * @param minVal the lower bound
 * @param maxVal the upper bound
 */
@WireValue
public record Hardtanh(double minVal, double maxVal) implements Layer {

    /** Create a layer with PyTorch's defaults. */
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
