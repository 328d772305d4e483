package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * {@link Softmax} of the negative elements.
 *
 * @param dim the dimension along which results sum to 1
 */
@WireValue
public record Softmin(int dim) implements Layer {

    @Override
    public Tensor forward(Tensor input) {
        return input.neg().softmax(dim);
    }

    @Override
    public String toString() {
        return "Softmin(dim=" + dim + ")";
    }
}
