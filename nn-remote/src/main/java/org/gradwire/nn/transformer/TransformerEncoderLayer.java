package org.gradwire.nn.transformer;

import org.gradwire.nn.Dropout;
import org.gradwire.nn.Layer;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Module;
import org.gradwire.nn.WireModule;
import org.gradwire.nn.internal.Seeds;
import org.gradwire.nn.normalization.LayerNorm;
import org.gradwire.nn.transformer.MultiheadAttention.Options;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.SplittableRandom;

/**
 * Self-attention and a feed-forward network, each with a residual connection and a {@link
 * LayerNorm}.
 */
@RemoteCallable
@WireValue
public final class TransformerEncoderLayer extends Module
        implements Layer, WireModule<TransformerConfiguration> {
    private final TransformerConfiguration configuration;
    private final MultiheadAttention selfAttention;
    private final Linear linear1;
    private final Dropout dropout;
    private final Linear linear2;
    private final LayerNorm norm1;
    private final LayerNorm norm2;
    private final Dropout dropout1;
    private final Dropout dropout2;

    /** Create a layer with PyTorch's options and random parameters. */
    public TransformerEncoderLayer(int dModel, int nhead) {
        this(TransformerConfiguration.of(dModel, nhead), Seeds.any());
    }

    /** Create a layer with parameters and dropout drawn from a seeded generator. */
    public TransformerEncoderLayer(TransformerConfiguration configuration, long seed) {
        this(configuration, new SplittableRandom(seed));
    }

    /** Create a layer whose parameters are NaN until they are loaded. */
    TransformerEncoderLayer(TransformerConfiguration configuration) {
        this(configuration, null);
    }

    private TransformerEncoderLayer(
            TransformerConfiguration configuration, @Nullable SplittableRandom random) {
        this.configuration = configuration;
        selfAttention = registerModule("self_attn", configuration.newAttention(random));
        linear1 = registerModule("linear1", configuration.newLinear1(random));
        dropout = registerModule("dropout", configuration.newDropout(random));
        linear2 = registerModule("linear2", configuration.newLinear2(random));
        norm1 = registerModule("norm1", configuration.newNorm());
        norm2 = registerModule("norm2", configuration.newNorm());
        dropout1 = registerModule("dropout1", configuration.newDropout(random));
        dropout2 = registerModule("dropout2", configuration.newDropout(random));
    }

    @Override
    public TransformerConfiguration configuration() {
        return configuration;
    }

    @Override
    public Tensor forward(Tensor source) {
        return forward(source, new Options());
    }

    /**
     * Compute the layer.
     *
     * @param source {@code [l, n, dModel]}, or {@code [n, l, dModel]} with the batch first; without
     *     {@code n} for an unbatched input
     * @param masks the masks of self-attention; weights are not computed
     * @return as the source
     */
    public Tensor forward(Tensor source, Options masks) {
        if (configuration.normFirst()) {
            Tensor x = source.add(attended(selfAttention, norm1.forward(source), masks, dropout1));
            return x.add(fedForward(norm2.forward(x)));
        }
        Tensor x = norm1.forward(source.add(attended(selfAttention, source, masks, dropout1)));
        return norm2.forward(x.add(fedForward(x)));
    }

    private static Tensor attended(
            MultiheadAttention attention, Tensor x, Options masks, Dropout after) {
        return after.forward(attention.forward(x, x, x, masks.withoutWeights()).output());
    }

    private Tensor fedForward(Tensor x) {
        Tensor between = dropout.forward(configuration.activated(linear1.forward(x)));
        return dropout2.forward(linear2.forward(between));
    }
}
