package org.gradwire.examples.checks;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

/** Inspects sparse gradients of tables on this worker. */
public final class SparseGradient {

    private SparseGradient() {}

    /**
     * Return the number of rows in a table's gradient in a context.
     *
     * @throws IllegalStateException when there is none, or it is not sparse
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
