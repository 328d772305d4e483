package org.gradwire.nn;

import org.gradwire.nn.activation.ReLU;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Calls layers in sequence. Layers that are modules are its children, named by position. It can be
 * sent to other workers if all its layers can: use {@link ReLU}, not a method reference such as
 * {@code Tensor::relu}.
 */
@RemoteCallable
@WireValue
public final class Sequential extends Module
        implements Layer, WireModule<Sequential.Configuration> {
    private final List<Layer> layers;

    /**
     * The configuration of a chain.
     *
     * @param layers each sent as its own value
     */
    @WireValue
    public record Configuration(List<Layer> layers) {}

    /** Create a chain. A method reference such as {@code Tensor::relu} is a layer too. */
    public Sequential(Layer... layers) {
        this(List.of(layers));
    }

    /** Create a chain of the layers of another. */
    public Sequential(Configuration configuration) {
        this(configuration.layers());
    }

    private Sequential(List<Layer> layers) {
        this.layers = List.copyOf(layers);
        for (int i = 0; i < this.layers.size(); i++) {
            if (this.layers.get(i) instanceof Module module) {
                registerModule(Integer.toString(i), module);
            }
        }
    }

    /**
     * {@inheritDoc}
     *
     * @throws TypeMismatchException when a layer cannot be sent
     */
    @Override
    public Configuration configuration() {
        for (int i = 0; i < layers.size(); i++) {
            Layer layer = layers.get(i);
            if (!(layer instanceof Module || layer instanceof Record || layer instanceof Enum<?>)) {
                throw new TypeMismatchException(
                        "layer %d of a Sequential, a %s, cannot be sent; take a record such as ReLU, or a module of your own"
                                .formatted(i, layer.getClass().getName()));
            }
        }
        return new Configuration(layers);
    }

    @Override
    public Tensor forward(Tensor input) {
        Tensor value = input;
        for (Layer layer : layers) {
            value = layer.forward(value);
        }
        return value;
    }

    @Override
    Map<String, ?> printedParts() {
        Map<String, Layer> parts = new LinkedHashMap<>();
        for (int i = 0; i < layers.size(); i++) {
            parts.put(Integer.toString(i), layers.get(i));
        }
        return parts;
    }
}
