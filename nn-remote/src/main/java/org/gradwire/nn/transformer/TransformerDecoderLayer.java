package org.gradwire.nn.transformer;

import org.gradwire.nn.Dropout;
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
 * Self-attention, cross-attention to the encoder's memory, and a feed-forward network, each with a
 * residual connection and a {@link LayerNorm}.
 */
@RemoteCallable
@WireValue
public final class TransformerDecoderLayer extends Module
        implements WireModule<TransformerConfiguration> {
    private final TransformerConfiguration configuration;
    private final MultiheadAttention selfAttention;
    private final MultiheadAttention crossAttention;
    private final Linear linear1;
    private final Dropout dropout;
    private final Linear linear2;
    private final LayerNorm norm1;
    private final LayerNorm norm2;
    private final LayerNorm norm3;
    private final Dropout dropout1;
    private final Dropout dropout2;
    private final Dropout dropout3;

    /** Create a layer with PyTorch's options and random parameters. */
    public TransformerDecoderLayer(int dModel, int nhead) {
        this(TransformerConfiguration.of(dModel, nhead), Seeds.any());
    }

    /** Create a layer with parameters and dropout drawn from a seeded generator. */
    public TransformerDecoderLayer(TransformerConfiguration configuration, long seed) {
        this(configuration, new SplittableRandom(seed));
    }

    /** Create a layer whose parameters are NaN until they are loaded. */
    TransformerDecoderLayer(TransformerConfiguration configuration) {
        this(configuration, null);
    }

    private TransformerDecoderLayer(
            TransformerConfiguration configuration, @Nullable SplittableRandom random) {
        this.configuration = configuration;
        selfAttention = registerModule("self_attn", configuration.newAttention(random));
        crossAttention = registerModule("multihead_attn", configuration.newAttention(random));
        linear1 = registerModule("linear1", configuration.newLinear1(random));
        dropout = registerModule("dropout", configuration.newDropout(random));
        linear2 = registerModule("linear2", configuration.newLinear2(random));
        norm1 = registerModule("norm1", configuration.newNorm());
        norm2 = registerModule("norm2", configuration.newNorm());
        norm3 = registerModule("norm3", configuration.newNorm());
        dropout1 = registerModule("dropout1", configuration.newDropout(random));
        dropout2 = registerModule("dropout2", configuration.newDropout(random));
        dropout3 = registerModule("dropout3", configuration.newDropout(random));
    }

    @Override
    public TransformerConfiguration configuration() {
        return configuration;
    }

    /** As {@link #forward(Tensor, Tensor, Options, Options)}, without masks. */
    public Tensor forward(Tensor target, Tensor memory) {
        return forward(target, memory, new Options(), new Options());
    }

    /**
     * Compute the layer.
     *
     * @param target {@code [l, n, dModel]}, or {@code [n, l, dModel]} with the batch first; without
     *     {@code n} for an unbatched input
     * @param memory the encoder's output, shaped as the target
     * @param targetMasks the masks of self-attention; weights are not computed
     * @param memoryMasks the masks of cross-attention
     * @return as the target
     */
    public Tensor forward(Tensor target, Tensor memory, Options targetMasks, Options memoryMasks) {
        if (configuration.normFirst()) {
            Tensor x = target;
            x = x.add(attended(selfAttention, norm1.forward(x), targetMasks, dropout1));
            x = x.add(crossed(norm2.forward(x), memory, memoryMasks));
            return x.add(fedForward(norm3.forward(x)));
        }
        Tensor x = target;
        x = norm1.forward(x.add(attended(selfAttention, x, targetMasks, dropout1)));
        x = norm2.forward(x.add(crossed(x, memory, memoryMasks)));
        return norm3.forward(x.add(fedForward(x)));
    }

    private Tensor crossed(Tensor x, Tensor memory, Options masks) {
        Tensor result = crossAttention.forward(x, memory, memory, masks.withoutWeights()).output();
        return dropout2.forward(result);
    }

    private static Tensor attended(
            MultiheadAttention attention, Tensor x, Options masks, Dropout after) {
        return after.forward(attention.forward(x, x, x, masks.withoutWeights()).output());
    }

    private Tensor fedForward(Tensor x) {
        Tensor between = dropout.forward(configuration.activated(linear1.forward(x)));
        return dropout3.forward(linear2.forward(between));
    }
}
