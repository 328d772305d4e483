package org.gradwire.nn;

import org.gradwire.tensor.Tensor;

import java.util.List;

/** Layers one after another. Layers that are modules are its children, named by their position. */
public final class Sequential extends Module implements Layer {
    private final List<Layer> layers;

    /** Create a chain. A method reference such as {@code Tensor::relu} is a layer too. */
    public Sequential(Layer... layers) {
        this.layers = List.of(layers);
        for (int i = 0; i < layers.length; i++) {
            if (layers[i] instanceof Module module) {
                registerModule(Integer.toString(i), module);
            }
        }
    }

    @Override
    public Tensor forward(Tensor input) {
        Tensor value = input;
        for (Layer layer : layers) {
            value = layer.forward(value);
        }
        return value;
    }
}
