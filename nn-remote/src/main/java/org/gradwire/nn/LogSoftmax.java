package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * Logarithms of probabilities that sum to one along a dimension.
 *
 * @param dim that dimension; negative ones count from the end
 */
@WireValue
public record LogSoftmax(int dim) implements Layer {

    @Override
    public Tensor forward(Tensor input) {
        return input.logSoftmax(dim);
    }

    @Override
    public String toString() {
        return "LogSoftmax(dim=" + dim + ")";
    }
}
