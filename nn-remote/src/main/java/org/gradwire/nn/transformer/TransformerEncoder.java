package org.gradwire.nn.transformer;

import org.gradwire.nn.Layer;
import org.gradwire.nn.Module;
import org.gradwire.nn.ModuleList;
import org.gradwire.nn.WireModule;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.normalization.LayerNorm;
import org.gradwire.nn.transformer.MultiheadAttention.Options;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A stack of {@link TransformerEncoderLayer}s. */
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
     * @param layer the options of each layer
     * @param numLayers the number of layers
     * @param norm whether a final {@link LayerNorm} follows
     */
    @WireValue
    public record Configuration(TransformerConfiguration layer, int numLayers, boolean norm) {

        /** Validates the arguments. */
        public Configuration {
            ArgumentChecks.requireLayers(numLayers);
        }
    }

    /** Create layers without a final norm, with parameters drawn from a seeded generator. */
    public TransformerEncoder(TransformerConfiguration layer, int numLayers, long seed) {
        this(new Configuration(layer, numLayers, false), seed);
    }

    /** Create layers with parameters and dropout drawn from a seeded generator. */
    public TransformerEncoder(Configuration configuration, long seed) {
        this(configuration, new SplittableRandom(seed));
    }

    /** Create layers whose parameters are NaN until they are loaded. */
    TransformerEncoder(Configuration configuration) {
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

    /** Compute the layers in order; see {@link TransformerEncoderLayer#forward}. */
    public Tensor forward(Tensor source, Options masks) {
        Tensor x = source;
        for (TransformerEncoderLayer layer : layers) {
            x = layer.forward(x, masks);
        }
        return norm == null ? x : norm.forward(x);
    }
}
