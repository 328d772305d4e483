package org.gradwire.nn.transformer;

import org.gradwire.nn.Dropout;
import org.gradwire.nn.Linear;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.ConfigurationConstructors;
import org.gradwire.nn.normalization.LayerNorm;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.SplittableRandom;

/**
 * The options of {@link TransformerEncoderLayer} and {@link TransformerDecoderLayer}.
 *
 * @param dModel the size of the last dimension of inputs and results
 * @param nhead the number of attention heads
 * @param dimFeedforward the hidden size of the feed-forward network
 * @param dropout the dropout probability
 * @param activation {@code relu} or {@code gelu}
 * @param layerNormEps added to a variance before its root is taken
 * @param batchFirst whether tensors are {@code [n, length, dModel]}, not {@code [length, n,
 *     dModel]}
 * @param normFirst whether layer normalization precedes attention and the feed-forward network
 *     instead of following them
 */
@WireValue
public record TransformerConfiguration(
        int dModel,
        int nhead,
        int dimFeedforward,
        double dropout,
        String activation,
        double layerNormEps,
        boolean batchFirst,
        boolean normFirst) {

    /** Validates the options. */
    public TransformerConfiguration {
        ArgumentChecks.requirePositive(dimFeedforward, "dimFeedforward");
        if (!activation.equals("relu") && !activation.equals("gelu")) {
            throw new IllegalArgumentException("activation should be relu/gelu, not " + activation);
        }
    }

    /**
     * Return PyTorch's defaults: a feed-forward size of 2048, a dropout of 0.1, {@code relu},
     * normalization last.
     */
    public static TransformerConfiguration of(int dModel, int nhead) {
        return new TransformerConfiguration(
                dModel,
                nhead,
                2048,
                0.1,
                "relu",
                1e-5,
                /* batchFirst= */ false,
                /* normFirst= */ false);
    }

    /** Return the same options with another feed-forward size. */
    public TransformerConfiguration dimFeedforward(int size) {
        return new TransformerConfiguration(
                dModel, nhead, size, dropout, activation, layerNormEps, batchFirst, normFirst);
    }

    /** Return the same options with another dropout. */
    public TransformerConfiguration dropout(double p) {
        return new TransformerConfiguration(
                dModel, nhead, dimFeedforward, p, activation, layerNormEps, batchFirst, normFirst);
    }

    /** Return the same options with another activation. */
    public TransformerConfiguration activation(String function) {
        return new TransformerConfiguration(
                dModel,
                nhead,
                dimFeedforward,
                dropout,
                function,
                layerNormEps,
                batchFirst,
                normFirst);
    }

    /** Return the same options with another epsilon of layer normalization. */
    public TransformerConfiguration layerNormEps(double added) {
        return new TransformerConfiguration(
                dModel, nhead, dimFeedforward, dropout, activation, added, batchFirst, normFirst);
    }

    /** Return the same options with the batch as the first dimension, or not. */
    public TransformerConfiguration batchFirst(boolean wanted) {
        return new TransformerConfiguration(
                dModel,
                nhead,
                dimFeedforward,
                dropout,
                activation,
                layerNormEps,
                wanted,
                normFirst);
    }

    /** Return the same options with normalization first or last. */
    public TransformerConfiguration normFirst(boolean wanted) {
        return new TransformerConfiguration(
                dModel,
                nhead,
                dimFeedforward,
                dropout,
                activation,
                layerNormEps,
                batchFirst,
                wanted);
    }

    /** {@return attention with random parameters, or NaN without a generator} */
    MultiheadAttention newAttention(@Nullable SplittableRandom random) {
        var options =
                MultiheadAttention.builder(dModel, nhead)
                        .dropout(dropout)
                        .batchFirst(batchFirst)
                        .configuration();
        return random == null
                ? new MultiheadAttention(options)
                : new MultiheadAttention(options, random.nextLong());
    }

    /** {@return the first linear layer, as {@link #newAttention}} */
    Linear newLinear1(@Nullable SplittableRandom random) {
        return newLinear(dModel, dimFeedforward, random);
    }

    /** {@return the second linear layer, as {@link #newAttention}} */
    Linear newLinear2(@Nullable SplittableRandom random) {
        return newLinear(dimFeedforward, dModel, random);
    }

    private static Linear newLinear(int in, int out, @Nullable SplittableRandom random) {
        var shape = new Linear.Configuration(in, out, true);
        return random == null
                ? ConfigurationConstructors.create(Linear.class, shape)
                : new Linear(shape, random.nextLong());
    }

    Dropout newDropout(@Nullable SplittableRandom random) {
        return random == null ? new Dropout(dropout) : new Dropout(dropout, random.nextLong());
    }

    LayerNorm newNorm() {
        return new LayerNorm(new LayerNorm.Configuration(List.of(dModel), layerNormEps, true));
    }

    Tensor activated(Tensor x) {
        return activation.equals("relu") ? x.relu() : x.gelu();
    }
}
