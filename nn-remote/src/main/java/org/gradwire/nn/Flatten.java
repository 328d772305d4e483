package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * Flattens a range of dimensions into one.
 *
 * @param startDim the first dimension
 * @param endDim the last dimension; negative ones count from the end
 */
@WireValue
public record Flatten(int startDim, int endDim) implements Layer {

    /** Create a layer that keeps only the first dimension, of the batch. */
    public Flatten() {
        this(1, -1);
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.flatten(startDim, endDim);
    }

    @Override
    public String toString() {
        return "Flatten(start_dim=%d, end_dim=%d)".formatted(startDim, endDim);
    }
}
