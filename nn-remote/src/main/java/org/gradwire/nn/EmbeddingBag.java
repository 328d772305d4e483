package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A table of vectors; each bag of indices gives the sum, or the mean, of its vectors, without the
 * single ones ever being made.
 */
@RemoteCallable
@WireValue
public final class EmbeddingBag extends Module implements WireModule<EmbeddingBag.Configuration> {
    private final Tensor weight;
    private final String mode;
    private final boolean sparse;

    /**
     * The shape of a table.
     *
     * @param mode {@code sum} or {@code mean}
     * @param sparse whether the table's gradient is sparse
     */
    @WireValue
    public record Configuration(int numEmbeddings, int embeddingDim, String mode, boolean sparse) {}

    /** Create a table with random vectors. */
    public EmbeddingBag(int numEmbeddings, int embeddingDim, String mode) {
        this(numEmbeddings, embeddingDim, mode, RandomGenerator.getDefault().nextLong());
    }

    /**
     * Create a table whose vectors follow from a seed: standard normal.
     *
     * @param mode {@code sum} or {@code mean}
     */
    public EmbeddingBag(int numEmbeddings, int embeddingDim, String mode, long seed) {
        this(numEmbeddings, embeddingDim, mode, /* sparse= */ false, seed);
    }

    /**
     * Create a table whose vectors follow from a seed, and whose gradient may be sparse.
     *
     * @param mode {@code sum} or {@code mean}
     * @param sparse whether the gradient holds only the vectors that were looked up
     */
    public EmbeddingBag(
            int numEmbeddings, int embeddingDim, String mode, boolean sparse, long seed) {
        this.mode = checkedMode(mode);
        this.sparse = sparse;
        this.weight =
                registerParameter(
                        "weight",
                        Tensor.randn(new SplittableRandom(seed), numEmbeddings, embeddingDim));
    }

    /** Create a table whose vectors are 0, for those that will be given to it. */
    public EmbeddingBag(Configuration configuration) {
        this.mode = checkedMode(configuration.mode());
        this.sparse = configuration.sparse();
        this.weight =
                registerParameter(
                        "weight",
                        Tensor.zeros(configuration.numEmbeddings(), configuration.embeddingDim()));
    }

    private static String checkedMode(String mode) {
        if (!mode.equals("sum") && !mode.equals("mean")) {
            throw new IllegalArgumentException("mode '%s' is neither sum nor mean".formatted(mode));
        }
        return mode;
    }

    @Override
    public Configuration configuration() {
        return new Configuration(weight.size(0), weight.size(1), mode, sparse);
    }

    /** {@return the table, of shape (numEmbeddings, embeddingDim)} */
    public Tensor weight() {
        return weight;
    }

    /**
     * Look bags up.
     *
     * @param input indices of all bags, one after another; int64, one dimension
     * @param offsets where each bag begins; int64, one dimension, the first is 0
     * @return shape (bags, embeddingDim)
     */
    public Tensor forward(Tensor input, Tensor offsets) {
        return sparse
                ? Ops.embeddingBag(weight, input, offsets, mode, null, true)
                : Ops.embeddingBag(weight, input, offsets, mode, null);
    }

    @Override
    protected String extraRepr() {
        return "%d, %d, mode=%s".formatted(weight.size(0), weight.size(1), mode);
    }
}
