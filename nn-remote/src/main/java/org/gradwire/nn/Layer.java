package org.gradwire.nn;

import org.gradwire.tensor.Tensor;

/** A function from tensor to tensor; modules of this kind can be chained. */
public interface Layer {

    /** Compute the output for an input. */
    Tensor forward(Tensor input);
}
