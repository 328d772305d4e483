package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * One dimension in place of a range of them.
 *
 * @param startDim the first of them
 * @param endDim the last of them; negative ones count from the end
 */
@WireValue
public record Flatten(int startDim, int endDim) implements Layer {

    /** Create one that keeps the first dimension only, that of a batch. */
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
