package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * The cosine similarity of vectors along a dimension, which is removed.
 *
 * @param dim the dimension
 * @param eps the minimum length
 */
@WireValue
public record CosineSimilarity(int dim, double eps) {

    /** Create a layer with PyTorch's defaults. */
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
