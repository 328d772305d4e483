package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

/**
 * Replaces elements that are not above a threshold by a value.
 *
 * @param threshold the largest number that is replaced
 * @param value the replacement
 */
@WireValue
public record Threshold(double threshold, double value) implements Layer {

    @Override
    public Tensor forward(Tensor input) {
        return Ops.threshold(input, threshold, value);
    }

    @Override
    public String toString() {
        return "Threshold(threshold=%s, value=%s)".formatted(Repr.of(threshold), Repr.of(value));
    }
}
