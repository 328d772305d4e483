package org.gradwire.nn;

import org.gradwire.nn.MultiheadAttention.Options;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Several layers of a transformer, one after the other: {@link TransformerDecoderLayer}s. */
@RemoteCallable
@WireValue
public final class TransformerDecoder extends Module
        implements WireModule<TransformerDecoder.Configuration> {
    private final Configuration configuration;
    private final ModuleList<TransformerDecoderLayer> layers;
    private final @Nullable LayerNorm norm;

    /**
     * The options of the layers.
     *
     * @param layer those of each
     * @param numLayers how many layers
     * @param norm whether a {@link LayerNorm} follows
     */
    @WireValue
    public record Configuration(TransformerConfiguration layer, int numLayers, boolean norm) {

        /** Checks the number. */
        public Configuration {
            Parameters.requireLayers(numLayers);
        }
    }

    /** Create layers with parameters of their own, without a norm, that follow from a seed. */
    public TransformerDecoder(TransformerConfiguration layer, int numLayers, long seed) {
        this(new Configuration(layer, numLayers, false), seed);
    }

    /** Create layers whose parameters, and what dropout draws, follow from a seed. */
    public TransformerDecoder(Configuration configuration, long seed) {
        this(configuration, new SplittableRandom(seed));
    }

    /** Create layers whose parameters are NaN, for those that will be given to them. */
    public TransformerDecoder(Configuration configuration) {
        this(configuration, null);
    }

    private TransformerDecoder(Configuration configuration, @Nullable SplittableRandom random) {
        this.configuration = configuration;
        TransformerConfiguration each = configuration.layer;
        var made =
                Stream.generate(() ->
                                random == null
                                        ? new TransformerDecoderLayer(each)
                                        : new TransformerDecoderLayer(each, random.nextLong()))
                        .limit(configuration.numLayers)
                        .toList();
        layers = registerModule("layers", new ModuleList<TransformerDecoderLayer>(made));
        norm = configuration.norm ? registerModule("norm", each.newNorm()) : null;
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    /** As {@link #forward(Tensor, Tensor, Options, Options)}, without masks. */
    public Tensor forward(Tensor target, Tensor memory) {
        return forward(target, memory, new Options(), new Options());
    }

    /** Compute the layers one after the other; see {@link TransformerDecoderLayer#forward}. */
    public Tensor forward(Tensor target, Tensor memory, Options targetMasks, Options memoryMasks) {
        Tensor x = target;
        for (TransformerDecoderLayer layer : layers) {
            x = layer.forward(x, memory, targetMasks, memoryMasks);
        }
        return norm == null ? x : norm.forward(x);
    }
}
