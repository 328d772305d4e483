package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * The first half along a dimension, multiplied by the sigmoid of the second.
 *
 * @param dim the dimension
 */
@WireValue
public record GLU(int dim) implements Layer {

    /** Create one with PyTorch's options. */
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
