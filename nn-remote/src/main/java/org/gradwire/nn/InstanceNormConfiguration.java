package org.gradwire.nn;

import org.gradwire.rpc.WireValue;

/**
 * The options of {@link InstanceNorm1d}, {@link InstanceNorm2d} and {@link InstanceNorm3d}.
 *
 * @param numFeatures how many channels
 * @param eps added to a variance before its root is taken
 * @param affine whether each channel is multiplied by a parameter, and another one added
 */
@WireValue
public record InstanceNormConfiguration(int numFeatures, double eps, boolean affine) {

    /** Checks the options. */
    public InstanceNormConfiguration {
        Parameters.requirePositive(numFeatures, "num_features");
    }

    /** Return PyTorch's options. */
    public static InstanceNormConfiguration of(int numFeatures) {
        return new InstanceNormConfiguration(numFeatures, 1e-5, false);
    }

    String repr() {
        return new Repr(numFeatures)
                .add("eps", eps)
                .add("momentum", 0.1)
                .add("affine", affine)
                .add("track_running_stats", false)
                .toString();
    }
}
