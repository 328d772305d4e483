package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.GradMode;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A table of vectors; each bag of indices gives the sum, the mean or the largest elements of its
 * vectors, without the single ones ever being kept.
 */
@RemoteCallable
@WireValue
public final class EmbeddingBag extends Module implements WireModule<EmbeddingBag.Configuration> {
    private final Configuration configuration;
    private final Tensor weight;

    /**
     * The options of a table.
     *
     * @param mode {@code sum}, {@code mean} or {@code max}
     * @param paddingIdx index of a vector that begins as zeros, counts in no bag and gets no
     *     gradient; null for none; negative ones count from the end
     * @param maxNorm vectors that are looked up are shortened to this before; null for no limit
     * @param normType the p of that norm
     * @param scaleGradByFreq whether a vector's gradient is divided by how often it was looked up
     * @param sparse whether the gradient holds only the vectors that were looked up
     * @param includeLastOffset whether the last offset is the end of the last bag
     */
    @WireValue
    public record Configuration(
            int numEmbeddings,
            int embeddingDim,
            String mode,
            @Nullable Integer paddingIdx,
            @Nullable Double maxNorm,
            double normType,
            boolean scaleGradByFreq,
            boolean sparse,
            boolean includeLastOffset) {

        /** Checks the options, and counts the padding's index from 0 on. */
        public Configuration {
            Tables.check(numEmbeddings, embeddingDim, maxNorm);
            Bags.check(mode, sparse, scaleGradByFreq);
            paddingIdx = Tables.padding(paddingIdx, numEmbeddings);
        }
    }

    /** Collects the options of a table. */
    public static final class Builder {
        private final int numEmbeddings;
        private final int embeddingDim;
        private String mode = "mean";
        private @Nullable Integer paddingIdx;
        private @Nullable Double maxNorm;
        private double normType = 2;
        private boolean scaleGradByFreq;
        private boolean sparse;
        private boolean includeLastOffset;

        private Builder(int numEmbeddings, int embeddingDim) {
            this.numEmbeddings = numEmbeddings;
            this.embeddingDim = embeddingDim;
        }

        /** Have {@code sum}, {@code mean} or {@code max} of a bag; the mean if nothing is said. */
        public Builder mode(String wanted) {
            mode = wanted;
            return this;
        }

        /** Have a vector that begins as zeros, counts in no bag and gets no gradient. */
        public Builder paddingIdx(int index) {
            paddingIdx = index;
            return this;
        }

        /** Shorten vectors that are looked up to a norm, before. */
        public Builder maxNorm(double norm) {
            maxNorm = norm;
            return this;
        }

        /** Say which p-norm that is; 2 if nothing is said. */
        public Builder normType(double p) {
            normType = p;
            return this;
        }

        /** Divide a vector's gradient by how often it was looked up. */
        public Builder scaleGradByFreq(boolean wanted) {
            scaleGradByFreq = wanted;
            return this;
        }

        /** Have gradients that hold only the vectors that were looked up. */
        public Builder sparse(boolean wanted) {
            sparse = wanted;
            return this;
        }

        /** Have the last offset be the end of the last bag. */
        public Builder includeLastOffset(boolean wanted) {
            includeLastOffset = wanted;
            return this;
        }

        /** {@return the options} */
        public Configuration configuration() {
            return new Configuration(
                    numEmbeddings,
                    embeddingDim,
                    mode,
                    paddingIdx,
                    maxNorm,
                    normType,
                    scaleGradByFreq,
                    sparse,
                    includeLastOffset);
        }

        /** {@return a table with random vectors} */
        public EmbeddingBag build() {
            return build(Parameters.anySeed());
        }

        /** {@return a table whose vectors follow from a seed} */
        public EmbeddingBag build(long seed) {
            return new EmbeddingBag(configuration(), seed);
        }
    }

    /** Create a table with random vectors. */
    public EmbeddingBag(int numEmbeddings, int embeddingDim, String mode) {
        this(numEmbeddings, embeddingDim, mode, Parameters.anySeed());
    }

    /**
     * Create a table whose vectors follow from a seed: standard normal.
     *
     * @param mode {@code sum}, {@code mean} or {@code max}
     */
    public EmbeddingBag(int numEmbeddings, int embeddingDim, String mode, long seed) {
        this(numEmbeddings, embeddingDim, mode, /* sparse= */ false, seed);
    }

    /**
     * Create a table whose vectors follow from a seed, and whose gradient may be sparse.
     *
     * @param mode {@code sum} or {@code mean}, or {@code max} if it is not sparse
     * @param sparse whether the gradient holds only the vectors that were looked up
     */
    public EmbeddingBag(
            int numEmbeddings, int embeddingDim, String mode, boolean sparse, long seed) {
        this(builder(numEmbeddings, embeddingDim).mode(mode).sparse(sparse).configuration(), seed);
    }

    /** Create a table whose vectors follow from a seed. */
    public EmbeddingBag(Configuration configuration, long seed) {
        this(configuration);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create a table whose vectors are NaN, for those that will be given to it. */
    public EmbeddingBag(Configuration configuration) {
        this.configuration = configuration;
        weight =
                registerParameter(
                        "weight",
                        Parameters.unset(configuration.numEmbeddings, configuration.embeddingDim));
    }

    /** Begin with a table of means without further options. */
    public static Builder builder(int numEmbeddings, int embeddingDim) {
        return new Builder(numEmbeddings, embeddingDim);
    }

    /** Give the vectors new values: standard normal, but zeros for the padding. */
    public void resetParameters(RandomGenerator random) {
        Init.normal_(weight, 0, 1, random);
        Integer padding = configuration.paddingIdx;
        if (padding != null) {
            GradMode.noGrad(() -> weight.select(0, padding).zero_());
        }
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    /** {@return the table, of shape (numEmbeddings, embeddingDim)} */
    public Tensor weight() {
        return weight;
    }

    /**
     * Look bags of one length up.
     *
     * @param input indices; int64, shape (bags, length)
     * @return shape (bags, embeddingDim)
     */
    public Tensor forward(Tensor input) {
        return Bags.lookUp(configuration, weight, input, null, null);
    }

    /**
     * Look bags up.
     *
     * @param input indices of all bags, one after another; int64, one dimension
     * @param offsets where each bag begins; int64, one dimension, the first is 0
     * @return shape (bags, embeddingDim)
     */
    public Tensor forward(Tensor input, Tensor offsets) {
        return Bags.lookUp(configuration, weight, input, offsets, null);
    }

    /**
     * Look bags up and weigh their vectors; with mode {@code sum} only.
     *
     * @param perSampleWeights of the input's shape
     * @return shape (bags, embeddingDim)
     */
    public Tensor forward(Tensor input, Tensor offsets, Tensor perSampleWeights) {
        return Bags.lookUp(configuration, weight, input, offsets, perSampleWeights);
    }

    @Override
    protected String extraRepr() {
        return new Repr(configuration.numEmbeddings, configuration.embeddingDim)
                .add("max_norm", configuration.maxNorm, null)
                .add("norm_type", configuration.normType, 2.0)
                .add("scale_grad_by_freq", configuration.scaleGradByFreq, false)
                .add("mode", configuration.mode)
                .add("padding_idx", configuration.paddingIdx, null)
                .toString();
    }
}
