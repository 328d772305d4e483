package org.gradwire.nn;

import org.gradwire.tensor.Tensor;

/** What is wrong with an input, given a target. */
public interface Loss {

    /** Compute the loss: a scalar, or one for each element without a reduction. */
    Tensor forward(Tensor input, Tensor target);
}
