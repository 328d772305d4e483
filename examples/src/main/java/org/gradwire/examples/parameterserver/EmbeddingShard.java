package org.gradwire.examples.parameterserver;

import org.gradwire.examples.checks.SparseGradient;
import org.gradwire.nn.Layer;
import org.gradwire.nn.Module;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** A server's rows of an embedding table. */
@RemoteCallable
public final class EmbeddingShard extends Module implements Layer {
    private final Tensor weight;

    /** Create rows from their numbers and a seed: the same ones for any number of shards. */
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
     * @param rows indices from the first row here; int64
     */
    @Override
    public Tensor forward(Tensor rows) {
        return Ops.embedding(weight, rows, /* sparse= */ true);
    }

    /** {@return the rows, of shape (rows, dim)} */
    public Tensor weight() {
        return weight;
    }

    /** Overwrite the rows; {@return their number} */
    public int load(Tensor rows) {
        loadStateDict(Map.of("weight", rows));
        return rows.size(0);
    }

    /** Return the number of rows in the gradient in a context. */
    public int gradientRows(long contextId) {
        return SparseGradient.rows(weight, contextId);
    }
}
