package org.gradwire.nn.loss;

import org.gradwire.tensor.Tensor;

/** A loss function of an input and a target. */
public interface Loss {

    /** Compute the loss: a scalar, or one for each element without a reduction. */
    Tensor forward(Tensor input, Tensor target);
}
