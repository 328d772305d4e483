package org.gradwire.examples.checks;

import org.gradwire.autograd.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

/** Looks at the gradients of tables that are on this worker. */
public final class SparseGradient {

    private SparseGradient() {}

    /**
     * Return how many rows of a table the gradient holds that a context left here.
     *
     * @throws IllegalStateException when it left none, or it is not sparse
     */
    public static int rows(Tensor table, long contextId) {
        Tensor gradient = DistAutograd.gradients(Rpc.current(), contextId).get(table);
        if (gradient == null || !gradient.isSparse()) {
            throw new IllegalStateException(
                    "the table should have a sparse gradient in context %d, but has %s"
                            .formatted(contextId, gradient == null ? "none" : "a dense one"));
        }
        return gradient.coalesce().nnz();
    }
}
