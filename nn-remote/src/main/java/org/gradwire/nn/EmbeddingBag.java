package org.gradwire.nn;

import org.gradwire.autograd.GradMode;
import org.gradwire.nn.internal.ParameterTensors;
import org.gradwire.nn.internal.Repr;
import org.gradwire.nn.internal.Seeds;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * An embedding table that reduces each bag of indices to the sum, mean or maximum of its vectors,
 * without materializing them.
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
     * @param normType the order p of the norm
     * @param scaleGradByFreq whether a vector's gradient is divided by the number of its look-ups
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

        /** Validates the options, and makes the padding's index non-negative. */
        public Configuration {
            EmbeddingTable.check(numEmbeddings, embeddingDim, maxNorm);
            EmbeddingBagLookup.check(mode, sparse, scaleGradByFreq);
            paddingIdx = EmbeddingTable.padding(paddingIdx, numEmbeddings);
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

        /** Set the reduction of a bag: {@code sum}, {@code mean} (the default) or {@code max}. */
        public Builder mode(String wanted) {
            mode = wanted;
            return this;
        }

        /**
         * Set the index of a vector that begins as zeros, counts in no bag and gets no gradient.
         */
        public Builder paddingIdx(int index) {
            paddingIdx = index;
            return this;
        }

        /** Set the maximum norm, to which vectors are scaled down before their look-up. */
        public Builder maxNorm(double norm) {
            maxNorm = norm;
            return this;
        }

        /** Set the order p of the norm; 2 by default. */
        public Builder normType(double p) {
            normType = p;
            return this;
        }

        /** Divide a vector's gradient by the number of its look-ups. */
        public Builder scaleGradByFreq(boolean wanted) {
            scaleGradByFreq = wanted;
            return this;
        }

        /** Enable sparse gradients, which hold only the vectors that were looked up. */
        public Builder sparse(boolean wanted) {
            sparse = wanted;
            return this;
        }

        /** Treat the last offset as the end of the last bag. */
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
            return build(Seeds.any());
        }

        /** {@return a table whose vectors follow from a seed} */
        public EmbeddingBag build(long seed) {
            return new EmbeddingBag(configuration(), seed);
        }
    }

    /** Create a table with random vectors. */
    public EmbeddingBag(int numEmbeddings, int embeddingDim, String mode) {
        this(numEmbeddings, embeddingDim, mode, Seeds.any());
    }

    /**
     * Create a table whose vectors follow from a seed: standard normal.
     *
     * @param mode {@code sum}, {@code mean} or {@code max}
     */
    public EmbeddingBag(int numEmbeddings, int embeddingDim, String mode, long seed) {
        this(builder(numEmbeddings, embeddingDim).mode(mode).configuration(), seed);
    }

    /** Create a table whose vectors follow from a seed. */
    public EmbeddingBag(Configuration configuration, long seed) {
        this(configuration);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create a table whose vectors are NaN until they are loaded. */
    EmbeddingBag(Configuration configuration) {
        this.configuration = configuration;
        weight =
                registerParameter(
                        "weight",
                        ParameterTensors.unset(
                                configuration.numEmbeddings, configuration.embeddingDim));
    }

    /** Start a builder of a table of means with the default options. */
    public static Builder builder(int numEmbeddings, int embeddingDim) {
        return new Builder(numEmbeddings, embeddingDim);
    }

    /** Initialize the vectors: standard normal, zeros for the padding. */
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
     * Look up bags of equal length.
     *
     * @param input indices; int64, shape (bags, length)
     * @return shape (bags, embeddingDim)
     */
    public Tensor forward(Tensor input) {
        return EmbeddingBagLookup.lookUp(configuration, weight, input, null, null);
    }

    /**
     * Look up bags.
     *
     * @param input indices of all bags, concatenated; int64, one dimension
     * @param offsets start of each bag; int64, one dimension, the first is 0
     * @return shape (bags, embeddingDim)
     */
    public Tensor forward(Tensor input, Tensor offsets) {
        return EmbeddingBagLookup.lookUp(configuration, weight, input, offsets, null);
    }

    /**
     * Look up bags with weighted vectors; only for mode {@code sum}.
     *
     * @param perSampleWeights of the input's shape
     * @return shape (bags, embeddingDim)
     */
    public Tensor forward(Tensor input, Tensor offsets, Tensor perSampleWeights) {
        return EmbeddingBagLookup.lookUp(configuration, weight, input, offsets, perSampleWeights);
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
