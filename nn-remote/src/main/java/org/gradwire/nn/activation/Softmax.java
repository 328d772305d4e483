package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * The softmax function: probabilities that sum to 1 along a dimension.
 *
 * @param dim the dimension along which the probabilities sum to 1; negative ones count from the end
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
