package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A table of vectors; each bag of indices gives the sum, or the mean, of its vectors, without the
 * single ones ever being made.
 */
@RemoteCallable
public final class EmbeddingBag extends Module {
    private final Tensor weight;
    private final String mode;

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
        if (!mode.equals("sum") && !mode.equals("mean")) {
            throw new IllegalArgumentException("mode '%s' is neither sum nor mean".formatted(mode));
        }
        this.mode = mode;
        this.weight =
                registerParameter(
                        "weight",
                        Tensor.randn(new SplittableRandom(seed), numEmbeddings, embeddingDim));
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
        return Ops.embeddingBag(weight, input, offsets, mode, null);
    }

    @Override
    public String toString() {
        return "EmbeddingBag(%d, %d, mode=%s)".formatted(weight.size(0), weight.size(1), mode);
    }
}
