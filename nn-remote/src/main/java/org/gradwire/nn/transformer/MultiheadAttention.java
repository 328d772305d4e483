package org.gradwire.nn.transformer;

import org.gradwire.nn.Module;
import org.gradwire.nn.WireModule;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.DropoutGenerators;
import org.gradwire.nn.internal.Seeds;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Multi-head scaled dot-product attention. PyTorch's {@code add_bias_kv} and {@code add_zero_attn}
 * are not supported.
 */
@RemoteCallable
@WireValue
public final class MultiheadAttention extends Module
        implements WireModule<MultiheadAttention.Configuration> {
    private final Configuration configuration;
    private final AttentionProjections attentionProjections;
    private final DropoutGenerators generators;

    /**
     * The options of a layer.
     *
     * @param embedDim the size of the queries' and the output's last dimension
     * @param numHeads the number of heads that share it
     * @param dropout the dropout probability of the attention weights
     * @param bias whether the projections have a bias
     * @param kdim the size of the keys' last dimension
     * @param vdim the size of the values' last dimension
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

        /** Validates the options. */
        public Configuration {
            ArgumentChecks.requirePositive(embedDim, "embedDim");
            ArgumentChecks.requirePositive(numHeads, "numHeads");
            ArgumentChecks.requirePositive(kdim, "kdim");
            ArgumentChecks.requirePositive(vdim, "vdim");
            ArgumentChecks.requireProbability(dropout);
            if (embedDim % numHeads != 0) {
                throw new IllegalArgumentException(
                        "embedDim must be divisible by numHeads: %d and %d"
                                .formatted(embedDim, numHeads));
            }
        }

        boolean sameDims() {
            return kdim == embedDim && vdim == embedDim;
        }
    }

    /** Builds a layer. */
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

        /** Set the dropout probability of the attention weights. */
        public Builder dropout(double p) {
            dropout = p;
            return this;
        }

        /** Set whether the projections have a bias; true by default. */
        public Builder bias(boolean wanted) {
            bias = wanted;
            return this;
        }

        /** Set the size of the keys; that of the queries by default. */
        public Builder kdim(int size) {
            kdim = size;
            return this;
        }

        /** Set the size of the values; that of the queries by default. */
        public Builder vdim(int size) {
            vdim = size;
            return this;
        }

        /** Make the batch the first dimension. */
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
            return build(Seeds.any());
        }

        /** {@return a layer with parameters and dropout drawn from a seeded generator} */
        public MultiheadAttention build(long seed) {
            return new MultiheadAttention(configuration(), seed);
        }
    }

    /**
     * The masks of a computation, and which weights it returns.
     *
     * @param keyPaddingMask {@code [n, s]}, or {@code [s]} for unbatched inputs: true masks a key,
     *     floating-point values are added to the scores; null for none
     * @param attnMask {@code [l, s]} or {@code [n * numHeads, l, s]}, as the other mask
     * @param needWeights whether the attention weights are returned
     * @param averageWeights whether they are averaged over the heads
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

        /** Return these options with a mask of keys. */
        public Options withKeyPaddingMask(Tensor mask) {
            return new Options(mask, attnMask, needWeights, averageWeights);
        }

        /** Return these options with a mask of queries and keys. */
        public Options withAttnMask(Tensor mask) {
            return new Options(keyPaddingMask, mask, needWeights, averageWeights);
        }

        /** Return these options without attention weights. */
        public Options withoutWeights() {
            return new Options(keyPaddingMask, attnMask, false, averageWeights);
        }

        /** Return these options with the attention weights of each head. */
        public Options withWeightsOfHeads() {
            return new Options(keyPaddingMask, attnMask, true, false);
        }
    }

    /**
     * The result of a layer.
     *
     * @param output of the queries' shape
     * @param weights {@code [n, l, s]}, or {@code [n, numHeads, l, s]} of each head; without {@code
     *     n} for unbatched inputs; empty if they were not requested
     */
    @WireValue
    public record Output(Tensor output, Optional<Tensor> weights) {}

    /** Create a layer with random parameters. */
    public MultiheadAttention(int embedDim, int numHeads) {
        this(builder(embedDim, numHeads).configuration(), Seeds.any());
    }

    /** Create a layer with parameters and dropout drawn from a seeded generator. */
    public MultiheadAttention(Configuration configuration, long seed) {
        this.configuration = configuration;
        attentionProjections = new AttentionProjections(this, configuration);
        generators = new DropoutGenerators(seed);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create a layer whose parameters are NaN until they are loaded. */
    MultiheadAttention(Configuration configuration) {
        this.configuration = configuration;
        attentionProjections = new AttentionProjections(this, configuration);
        generators = new DropoutGenerators(Seeds.any());
    }

    /** Start a builder with the default options. */
    public static Builder builder(int embedDim, int numHeads) {
        return new Builder(embedDim, numHeads);
    }

    /** Initialize the weights by Xavier's method and the biases with zeros. */
    public void resetParameters(RandomGenerator random) {
        attentionProjections.reset(random);
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
     * Compute attention.
     *
     * @param query {@code [l, n, embedDim]}, or {@code [n, l, embedDim]} with the batch first;
     *     {@code [l, embedDim]} for an unbatched input
     * @param key {@code [s, n, kdim]}, as the query
     * @param value {@code [s, n, vdim]}, as the query
     */
    public Output forward(Tensor query, Tensor key, Tensor value, Options options) {
        return new Attention(configuration, options, attentionProjections)
                .forward(query, key, value, this::dropped);
    }

    private Tensor dropped(Tensor weights) {
        return generators.dropout(weights, configuration.dropout, isTraining());
    }
}
