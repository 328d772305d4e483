package org.gradwire.nn.normalization;

import org.gradwire.nn.Layer;
import org.gradwire.nn.Module;
import org.gradwire.nn.WireModule;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.ParameterTensors;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Collectors;

/** Layer normalization: normalizes over the last dimensions to mean 0 and variance 1. */
@RemoteCallable
@WireValue
public final class LayerNorm extends Module implements Layer, WireModule<LayerNorm.Configuration> {
    private final Configuration configuration;
    private final @Nullable Tensor weight;
    private final @Nullable Tensor bias;

    /**
     * The options of a layer.
     *
     * @param normalizedShape the last dimensions
     * @param eps added to the variance for numerical stability
     * @param elementwiseAffine whether each element has a learned scale and bias
     */
    @WireValue
    public record Configuration(
            List<Integer> normalizedShape, double eps, boolean elementwiseAffine) {

        /** Validates and copies the shape. */
        public Configuration {
            normalizedShape = List.copyOf(normalizedShape);
            if (normalizedShape.isEmpty()) {
                throw new IllegalArgumentException(
                        "Expected normalizedShape to be at least 1-dimensional, but got []");
            }
            normalizedShape.forEach(
                    size -> ArgumentChecks.requirePositive(size, "normalizedShape"));
        }

        private int[] shape() {
            return normalizedShape.stream().mapToInt(Integer::intValue).toArray();
        }
    }

    /** Create a layer for the last dimension, with PyTorch's options. */
    public LayerNorm(int normalizedShape) {
        this(new Configuration(List.of(normalizedShape), 1e-5, true));
    }

    /** Create a layer; its initial parameters are not random. */
    public LayerNorm(Configuration configuration) {
        this.configuration = configuration;
        boolean affine = configuration.elementwiseAffine;
        int[] shape = configuration.shape();
        weight = affine ? registerParameter("weight", ParameterTensors.filled(1, shape)) : null;
        bias = affine ? registerParameter("bias", ParameterTensors.filled(0, shape)) : null;
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Ops.layerNorm(input, configuration.shape(), weight, bias, configuration.eps);
    }

    @Override
    protected String extraRepr() {
        List<Integer> shape = configuration.normalizedShape;
        String sizes = shape.stream().map(String::valueOf).collect(Collectors.joining(", "));
        return new Repr("(" + sizes + (shape.size() == 1 ? ",)" : ")"))
                .add("eps", configuration.eps)
                .add("elementwise_affine", configuration.elementwiseAffine)
                .toString();
    }
}
