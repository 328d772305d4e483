package org.gradwire.nn;

import org.gradwire.tensor.Tensor;

import java.util.random.RandomGenerator;

/** Initial values of parameters, PyTorch's defaults. */
final class Initializers {

    private Initializers() {}

    /**
     * Return values uniform in plus and minus {@code 1 / sqrt(fanIn)}: PyTorch's Kaiming
     * initialization of linear layers.
     */
    static Tensor kaimingUniform(RandomGenerator random, int fanIn, int... shape) {
        double bound = 1 / Math.sqrt(fanIn);
        return Tensor.rand(random, shape).mul(2 * bound).sub(bound);
    }
}
