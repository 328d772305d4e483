package org.gradwire.examples.parameterserver;

import org.gradwire.examples.checks.SparseGradient;
import org.gradwire.nn.Layer;
import org.gradwire.nn.Module;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Some rows of a table of vectors, those that one server owns. */
@RemoteCallable
public final class EmbeddingShard extends Module implements Layer {
    private final Tensor weight;

    /** Create rows that follow from their numbers: the same ones however the table is spread. */
    public EmbeddingShard(int firstRow, int endRow, int dim, long seed) {
        List<Tensor> rows =
                IntStream.range(firstRow, endRow)
                        .mapToObj(row -> Tensor.randn(new SplittableRandom(seed + row), dim))
                        .toList();
        weight = registerParameter("weight", Ops.stack(rows, 0));
    }

    /**
     * Look rows up, with a sparse gradient.
     *
     * @param rows counted from the first one here; int64
     */
    @Override
    public Tensor forward(Tensor rows) {
        return Ops.embedding(weight, rows, /* sparse= */ true);
    }

    /** {@return the rows, of shape (rows, dim)} */
    public Tensor weight() {
        return weight;
    }

    /** Return how many rows the gradient holds that a context left here. */
    public int gradientRows(long contextId) {
        return SparseGradient.rows(weight, contextId);
    }
}
