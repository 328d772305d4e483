package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * The logarithm of {@link Softmax}.
 *
 * @param dim the dimension along which the probabilities sum to 1; negative ones count from the end
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
