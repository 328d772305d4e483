package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * Probabilities that sum to one along a dimension.
 *
 * @param dim that dimension; negative ones count from the end
 */
@WireValue
public record Softmax(int dim) implements Layer {

    @Override
    public Tensor forward(Tensor input) {
        return input.softmax(dim);
    }

    @Override
    public String toString() {
        return "Softmax(dim=" + dim + ")";
    }
}
