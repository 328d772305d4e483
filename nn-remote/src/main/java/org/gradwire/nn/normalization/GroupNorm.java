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

/**
 * Group normalization of {@code [n, c, ...]}: normalizes each group of channels to mean 0 and
 * variance 1.
 */
@RemoteCallable
@WireValue
public final class GroupNorm extends Module implements Layer, WireModule<GroupNorm.Configuration> {
    private final Configuration configuration;
    private final @Nullable Tensor weight;
    private final @Nullable Tensor bias;

    /**
     * The options of a layer.
     *
     * @param numGroups the number of groups of channels
     * @param numChannels the number of channels, a multiple of {@code numGroups}
     * @param eps added to the variance for numerical stability
     * @param affine whether each channel has a learned scale and bias
     */
    @WireValue
    public record Configuration(int numGroups, int numChannels, double eps, boolean affine) {

        /** Validates the options. */
        public Configuration {
            ArgumentChecks.requirePositive(numGroups, "numGroups");
            ArgumentChecks.requirePositive(numChannels, "numChannels");
            if (numChannels % numGroups != 0) {
                throw new IllegalArgumentException(
                        "numChannels must be divisible by numGroups: %d and %d"
                                .formatted(numChannels, numGroups));
            }
        }
    }

    /** Create a layer with PyTorch's defaults. */
    public GroupNorm(int numGroups, int numChannels) {
        this(new Configuration(numGroups, numChannels, 1e-5, true));
    }

    /** Create a layer; its initial parameters are not random. */
    public GroupNorm(Configuration configuration) {
        this.configuration = configuration;
        boolean affine = configuration.affine;
        int n = configuration.numChannels;
        weight = affine ? registerParameter("weight", ParameterTensors.filled(1, n)) : null;
        bias = affine ? registerParameter("bias", ParameterTensors.filled(0, n)) : null;
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    @Override
    public Tensor forward(Tensor input) {
        return Ops.groupNorm(input, configuration.numGroups, weight, bias, configuration.eps);
    }

    @Override
    protected String extraRepr() {
        return new Repr(configuration.numGroups, configuration.numChannels)
                .add("eps", configuration.eps)
                .add("affine", configuration.affine)
                .toString();
    }
}
