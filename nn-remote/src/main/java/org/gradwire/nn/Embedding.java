package org.gradwire.nn;

import org.gradwire.autograd.GradMode;
import org.gradwire.nn.internal.ParameterTensors;
import org.gradwire.nn.internal.Repr;
import org.gradwire.nn.internal.Seeds;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** An embedding table: looks vectors up by index. */
@RemoteCallable
@WireValue
public final class Embedding extends Module implements Layer, WireModule<Embedding.Configuration> {
    private final Configuration configuration;
    private final Tensor weight;

    /**
     * The options of a table.
     *
     * @param paddingIdx index of a vector that begins as zeros and gets no gradient; null for none;
     *     negative ones count from the end
     * @param maxNorm maximum norm, to which vectors are scaled down before their look-up; null for
     *     none
     * @param normType the order p of the norm
     * @param scaleGradByFreq whether a vector's gradient is divided by the number of its look-ups
     * @param sparse whether the gradient holds only the vectors that were looked up
     */
    @WireValue
    public record Configuration(
            int numEmbeddings,
            int embeddingDim,
            @Nullable Integer paddingIdx,
            @Nullable Double maxNorm,
            double normType,
            boolean scaleGradByFreq,
            boolean sparse) {

        /** Validates the options, and makes the padding's index non-negative. */
        public Configuration {
            EmbeddingTable.check(numEmbeddings, embeddingDim, maxNorm);
            paddingIdx = EmbeddingTable.padding(paddingIdx, numEmbeddings);
            if (sparse && scaleGradByFreq) {
                throw new IllegalArgumentException(
                        "a sparse gradient cannot be scaled by frequency; take one of the two options");
            }
        }
    }

    /** Collects the options of a table. */
    public static final class Builder {
        private final int numEmbeddings;
        private final int embeddingDim;
        private @Nullable Integer paddingIdx;
        private @Nullable Double maxNorm;
        private double normType = 2;
        private boolean scaleGradByFreq;
        private boolean sparse;

        private Builder(int numEmbeddings, int embeddingDim) {
            this.numEmbeddings = numEmbeddings;
            this.embeddingDim = embeddingDim;
        }

        /** Set the index of a vector that begins as zeros and gets no gradient. */
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

        /** {@return the options} */
        public Configuration configuration() {
            return new Configuration(
                    numEmbeddings,
                    embeddingDim,
                    paddingIdx,
                    maxNorm,
                    normType,
                    scaleGradByFreq,
                    sparse);
        }

        /** {@return a table with random vectors} */
        public Embedding build() {
            return build(Seeds.any());
        }

        /** {@return a table whose vectors follow from a seed} */
        public Embedding build(long seed) {
            return new Embedding(configuration(), seed);
        }
    }

    /** Create a table with random vectors. */
    public Embedding(int numEmbeddings, int embeddingDim) {
        this(numEmbeddings, embeddingDim, Seeds.any());
    }

    /** Create a table whose vectors follow from a seed. */
    public Embedding(int numEmbeddings, int embeddingDim, long seed) {
        this(builder(numEmbeddings, embeddingDim).configuration(), seed);
    }

    /** Create a table whose vectors follow from a seed. */
    public Embedding(Configuration configuration, long seed) {
        this(configuration);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create a table whose vectors are NaN until they are loaded. */
    Embedding(Configuration configuration) {
        this.configuration = configuration;
        weight =
                registerParameter(
                        "weight",
                        ParameterTensors.unset(
                                configuration.numEmbeddings, configuration.embeddingDim));
    }

    /** Start a builder with the default options. */
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
     * Look vectors up.
     *
     * @param input indices; int64, of any shape
     * @return shape (..., embeddingDim)
     */
    @Override
    public Tensor forward(Tensor input) {
        EmbeddingTable.renormalize(weight, input, configuration.maxNorm, configuration.normType);
        return configuration.sparse
                ? EmbeddingTable.sparseRows(weight, input, configuration.paddingIdx)
                : Ops.embedding(
                        weight, input, configuration.paddingIdx, configuration.scaleGradByFreq);
    }

    @Override
    protected String extraRepr() {
        return new Repr(configuration.numEmbeddings, configuration.embeddingDim)
                .add("padding_idx", configuration.paddingIdx, null)
                .add("max_norm", configuration.maxNorm, null)
                .add("norm_type", configuration.normType, 2.0)
                .add("scale_grad_by_freq", configuration.scaleGradByFreq, false)
                .add("sparse", configuration.sparse, false)
                .toString();
    }
}
