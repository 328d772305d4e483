package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Brings each group of channels of {@code [n, c, ...]} to mean 0 and variance 1. */
@RemoteCallable
@WireValue
public final class GroupNorm extends Module implements Layer, WireModule<GroupNorm.Configuration> {
    private final Configuration configuration;
    private final @Nullable Tensor weight;
    private final @Nullable Tensor bias;

    /**
     * The options of a layer.
     *
     * @param numGroups into how many groups the channels are divided
     * @param numChannels how many channels, a multiple of {@code numGroups}
     * @param eps added to a variance before its root is taken
     * @param affine whether each channel is multiplied by a parameter, and another one added
     */
    @WireValue
    public record Configuration(int numGroups, int numChannels, double eps, boolean affine) {

        /** Checks the options. */
        public Configuration {
            Parameters.requirePositive(numGroups, "num_groups");
            Parameters.requirePositive(numChannels, "num_channels");
            if (numChannels % numGroups != 0) {
                throw new IllegalArgumentException(
                        "num_channels must be divisible by num_groups: %d and %d"
                                .formatted(numChannels, numGroups));
            }
        }
    }

    /** Create a layer with PyTorch's options. */
    public GroupNorm(int numGroups, int numChannels) {
        this(new Configuration(numGroups, numChannels, 1e-5, true));
    }

    /** Create a layer. There is nothing random in it. */
    public GroupNorm(Configuration configuration) {
        this.configuration = configuration;
        boolean affine = configuration.affine;
        int n = configuration.numChannels;
        weight = affine ? registerParameter("weight", Parameters.filled(1, n)) : null;
        bias = affine ? registerParameter("bias", Parameters.filled(0, n)) : null;
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
