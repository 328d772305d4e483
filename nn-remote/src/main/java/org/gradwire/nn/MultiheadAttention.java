package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Averages values by how well keys fit queries, in several heads with maps of their own. PyTorch's
 * {@code add_bias_kv} and {@code add_zero_attn} are not offered.
 */
@RemoteCallable
@WireValue
public final class MultiheadAttention extends Module
        implements WireModule<MultiheadAttention.Configuration> {
    private final Configuration configuration;
    private final Projections projections;
    private final Parameters.Generators generators;

    /**
     * The options of a layer.
     *
     * @param embedDim size of the queries' and the output's last dimension
     * @param numHeads how many heads share that
     * @param dropout the probability with which weights are set to zero in training
     * @param bias whether the maps add something
     * @param kdim size of the keys' last dimension
     * @param vdim size of the values' last dimension
     * @param batchFirst whether tensors are {@code [n, length, ...]}, not {@code [length, n, ...]}
     */
    @WireValue
    public record Configuration(
            int embedDim,
            int numHeads,
            double dropout,
            boolean bias,
            int kdim,
            int vdim,
            boolean batchFirst) {

        /** Checks the options. */
        public Configuration {
            Parameters.requirePositive(embedDim, "embed_dim");
            Parameters.requirePositive(numHeads, "num_heads");
            Parameters.requirePositive(kdim, "kdim");
            Parameters.requirePositive(vdim, "vdim");
            Parameters.requireProbability(dropout);
            if (embedDim % numHeads != 0) {
                throw new IllegalArgumentException(
                        "embed_dim must be divisible by num_heads: %d and %d"
                                .formatted(embedDim, numHeads));
            }
        }

        boolean sameDims() {
            return kdim == embedDim && vdim == embedDim;
        }
    }

    /** Collects the options of a layer. */
    public static final class Builder {
        private final int embedDim;
        private final int numHeads;
        private double dropout;
        private boolean bias = true;
        private int kdim;
        private int vdim;
        private boolean batchFirst;

        private Builder(int embedDim, int numHeads) {
            this.embedDim = embedDim;
            this.numHeads = numHeads;
            kdim = embedDim;
            vdim = embedDim;
        }

        /** Set weights to zero with a probability, in training. */
        public Builder dropout(double p) {
            dropout = p;
            return this;
        }

        /** Say whether the maps add something; yes if nothing is said. */
        public Builder bias(boolean wanted) {
            bias = wanted;
            return this;
        }

        /** Have keys of another size than queries. */
        public Builder kdim(int size) {
            kdim = size;
            return this;
        }

        /** Have values of another size than queries. */
        public Builder vdim(int size) {
            vdim = size;
            return this;
        }

        /** Have tensors with the batch as the first dimension. */
        public Builder batchFirst(boolean wanted) {
            batchFirst = wanted;
            return this;
        }

        /** {@return the options} */
        public Configuration configuration() {
            return new Configuration(embedDim, numHeads, dropout, bias, kdim, vdim, batchFirst);
        }

        /** {@return a layer with random parameters} */
        public MultiheadAttention build() {
            return build(Parameters.anySeed());
        }

        /** {@return a layer whose parameters, and what dropout draws, follow from a seed} */
        public MultiheadAttention build(long seed) {
            return new MultiheadAttention(configuration(), seed);
        }
    }

    /**
     * What counts, and what is wanted.
     *
     * @param keyPaddingMask {@code [n, s]}, or {@code [s]} for single ones: bool says which keys do
     *     not count, fractions are added; null for none
     * @param attnMask {@code [l, s]} or {@code [n * numHeads, l, s]}, as the other mask
     * @param needWeights whether the weights are given, too
     * @param averageWeights whether as their mean over the heads
     */
    @WireValue
    public record Options(
            @Nullable Tensor keyPaddingMask,
            @Nullable Tensor attnMask,
            boolean needWeights,
            boolean averageWeights) {

        /** No masks, and the mean of the weights. */
        public Options() {
            this(null, null, true, true);
        }

        /** Return these with a mask of keys. */
        public Options withKeyPaddingMask(Tensor mask) {
            return new Options(mask, attnMask, needWeights, averageWeights);
        }

        /** Return these with a mask of queries and keys. */
        public Options withAttnMask(Tensor mask) {
            return new Options(keyPaddingMask, mask, needWeights, averageWeights);
        }

        /** Return these without weights. */
        public Options withoutWeights() {
            return new Options(keyPaddingMask, attnMask, false, averageWeights);
        }

        /** Return these with the weights of each head. */
        public Options withWeightsOfHeads() {
            return new Options(keyPaddingMask, attnMask, true, false);
        }
    }

    /**
     * What a layer gives.
     *
     * @param output of the queries' shape
     * @param weights {@code [n, l, s]}, or {@code [n, numHeads, l, s]} of each head; without {@code
     *     n} for single ones; empty if they are not wanted
     */
    @WireValue
    public record Output(Tensor output, Optional<Tensor> weights) {}

    /** Create a layer with random parameters. */
    public MultiheadAttention(int embedDim, int numHeads) {
        this(builder(embedDim, numHeads).configuration(), Parameters.anySeed());
    }

    /** Create a layer whose parameters, and what dropout draws, follow from a seed. */
    public MultiheadAttention(Configuration configuration, long seed) {
        this.configuration = configuration;
        projections = new Projections(this, configuration);
        generators = new Parameters.Generators(seed);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create a layer whose parameters are NaN, for those that will be given to it. */
    public MultiheadAttention(Configuration configuration) {
        this.configuration = configuration;
        projections = new Projections(this, configuration);
        generators = new Parameters.Generators(Parameters.anySeed());
    }

    /** Begin with a layer without further options. */
    public static Builder builder(int embedDim, int numHeads) {
        return new Builder(embedDim, numHeads);
    }

    /** Give the parameters new values: Xavier's for weights, zeros for what is added. */
    public void resetParameters(RandomGenerator random) {
        projections.reset(random);
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    /** As {@link #forward(Tensor, Tensor, Tensor, Options)}, without masks. */
    public Output forward(Tensor query, Tensor key, Tensor value) {
        return forward(query, key, value, new Options());
    }

    /**
     * Average values.
     *
     * @param query {@code [l, n, embedDim]}, or {@code [n, l, embedDim]} with the batch first;
     *     {@code [l, embedDim]} for a single one
     * @param key {@code [s, n, kdim]}, as the query
     * @param value {@code [s, n, vdim]}, as the query
     */
    public Output forward(Tensor query, Tensor key, Tensor value, Options options) {
        return new Attention(configuration, options, projections)
                .forward(query, key, value, this::dropped);
    }

    private Tensor dropped(Tensor weights) {
        return generators.dropout(weights, configuration.dropout, isTraining());
    }
}
