package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * Layers that compute each element by itself, without parameters. Unlike a method reference such as
 * {@code Tensor::relu} they may be in a {@link Sequential} that travels.
 */
@WireValue
public enum Activation implements Layer {
    /** The larger of x and 0. */
    RELU {
        @Override
        public Tensor forward(Tensor input) {
            return input.relu();
        }
    },
    /** The hyperbolic tangent. */
    TANH {
        @Override
        public Tensor forward(Tensor input) {
            return input.tanh();
        }
    },
    /** {@code 1 / (1 + exp(-x))}. */
    SIGMOID {
        @Override
        public Tensor forward(Tensor input) {
            return input.sigmoid();
        }
    }
}
