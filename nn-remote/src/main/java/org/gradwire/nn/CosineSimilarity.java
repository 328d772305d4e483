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

    /**
     * Compute the cosines of pairs of vectors.
     *
     * @param x1 vectors along the dimension, such as {@code [n, d]} for the dimension 1
     * @param x2 as many dimensions as {@code x1}; the shapes broadcast
     * @return the common shape without the dimension, such as {@code [n]}
     */
    public Tensor forward(Tensor x1, Tensor x2) {
        return Functional.cosineSimilarity(x1, x2, dim, eps);
    }

    @Override
    public String toString() {
        return "CosineSimilarity()";
    }
}
