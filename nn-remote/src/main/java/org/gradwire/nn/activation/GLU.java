package org.gradwire.nn.activation;

import org.gradwire.nn.Layer;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * The gated linear unit: the first half along a dimension, multiplied by the sigmoid of the second.
 *
 * @param dim the dimension
 */
@WireValue
public record GLU(int dim) implements Layer {

    /** Create a layer with PyTorch's defaults. */
    public GLU() {
        this(-1);
    }

    @Override
    public Tensor forward(Tensor input) {
        return input.glu(dim);
    }

    @Override
    public String toString() {
        return "GLU(dim=" + dim + ")";
    }
}
