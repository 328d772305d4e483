package org.gradwire.nn;

import org.gradwire.tensor.Tensor;

/** A module from a tensor to a tensor. */
public interface Layer {

    /** Compute the output for an input. */
    Tensor forward(Tensor input);
}
