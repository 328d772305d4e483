package org.gradwire.nn;

import org.gradwire.nn.MultiheadAttention.Options;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Several layers of a transformer, one after the other: {@link TransformerEncoderLayer}s. */
@RemoteCallable
@WireValue
public final class TransformerEncoder extends Module
        implements Layer, WireModule<TransformerEncoder.Configuration> {
    private final Configuration configuration;
    private final ModuleList<TransformerEncoderLayer> layers;
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
    public TransformerEncoder(TransformerConfiguration layer, int numLayers, long seed) {
        this(new Configuration(layer, numLayers, false), seed);
    }

    /** Create layers whose parameters, and what dropout draws, follow from a seed. */
    public TransformerEncoder(Configuration configuration, long seed) {
        this(configuration, new SplittableRandom(seed));
    }

    /** Create layers whose parameters are NaN, for those that will be given to them. */
    public TransformerEncoder(Configuration configuration) {
        this(configuration, null);
    }

    private TransformerEncoder(Configuration configuration, @Nullable SplittableRandom random) {
        this.configuration = configuration;
        TransformerConfiguration each = configuration.layer;
        var made =
                Stream.generate(() ->
                                random == null
                                        ? new TransformerEncoderLayer(each)
                                        : new TransformerEncoderLayer(each, random.nextLong()))
                        .limit(configuration.numLayers)
                        .toList();
        layers = registerModule("layers", new ModuleList<TransformerEncoderLayer>(made));
        norm = configuration.norm ? registerModule("norm", each.newNorm()) : null;
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    @Override
    public Tensor forward(Tensor source) {
        return forward(source, new Options());
    }

    /** Compute the layers one after the other; see {@link TransformerEncoderLayer#forward}. */
    public Tensor forward(Tensor source, Options masks) {
        Tensor x = source;
        for (TransformerEncoderLayer layer : layers) {
            x = layer.forward(x, masks);
        }
        return norm == null ? x : norm.forward(x);
    }
}
