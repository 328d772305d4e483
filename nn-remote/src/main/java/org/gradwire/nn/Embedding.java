package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.GradMode;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A table of vectors; indices give theirs. */
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
     * @param maxNorm vectors that are looked up are shortened to this before; null for no limit
     * @param normType the p of that norm
     * @param scaleGradByFreq whether a vector's gradient is divided by how often it was looked up
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

        /** Checks the options, and counts the padding's index from 0 on. */
        public Configuration {
            Tables.check(numEmbeddings, embeddingDim, maxNorm);
            paddingIdx = Tables.padding(paddingIdx, numEmbeddings);
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

        /** Have a vector that begins as zeros and gets no gradient. */
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
            return build(Parameters.anySeed());
        }

        /** {@return a table whose vectors follow from a seed} */
        public Embedding build(long seed) {
            return new Embedding(configuration(), seed);
        }
    }

    /** Create a table with random vectors. */
    public Embedding(int numEmbeddings, int embeddingDim) {
        this(numEmbeddings, embeddingDim, Parameters.anySeed());
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

    /** Create a table whose vectors are NaN, for those that will be given to it. */
    public Embedding(Configuration configuration) {
        this.configuration = configuration;
        weight =
                registerParameter(
                        "weight",
                        Parameters.unset(configuration.numEmbeddings, configuration.embeddingDim));
    }

    /** Begin with a table without further options. */
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
     * Look vectors up.
     *
     * @param input indices; int64, of any shape
     * @return shape (..., embeddingDim)
     */
    @Override
    public Tensor forward(Tensor input) {
        Tables.renormalize(weight, input, configuration.maxNorm, configuration.normType);
        return configuration.sparse
                ? Tables.sparseRows(weight, input, configuration.paddingIdx)
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
