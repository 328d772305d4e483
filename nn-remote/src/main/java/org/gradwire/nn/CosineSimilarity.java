package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * The cosine of the angle between vectors along a dimension, which goes away.
 *
 * @param dim the dimension
 * @param eps the least length that counts
 */
@WireValue
public record CosineSimilarity(int dim, double eps) {

    /** Create one with PyTorch's options. */
    public CosineSimilarity() {
        this(1, 1e-8);
    }

    /** Compute the cosines. */
    public Tensor forward(Tensor x1, Tensor x2) {
        return Functional.cosineSimilarity(x1, x2, dim, eps);
    }

    @Override
    public String toString() {
        return "CosineSimilarity()";
    }
}
