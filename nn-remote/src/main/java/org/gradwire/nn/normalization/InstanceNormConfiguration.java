package org.gradwire.nn.normalization;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;

/**
 * The options of {@link InstanceNorm1d}, {@link InstanceNorm2d} and {@link InstanceNorm3d}.
 *
 * @param numFeatures the number of channels
 * @param eps added to the variance for numerical stability
 * @param affine whether each channel has a learned scale and bias
 */
@WireValue
public record InstanceNormConfiguration(int numFeatures, double eps, boolean affine) {

    /** Validates the options. */
    public InstanceNormConfiguration {
        ArgumentChecks.requirePositive(numFeatures, "numFeatures");
    }

    /** Return PyTorch's defaults. */
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
