package org.gradwire.nn.normalization;

import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.Repr;
import org.gradwire.rpc.WireValue;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@link BatchNorm1d}, {@link BatchNorm2d} and {@link BatchNorm3d}.
 *
 * @param numFeatures the number of channels
 * @param eps added to the variance for numerical stability
 * @param momentum the weight of a batch in the running statistics; null for a cumulative mean
 * @param affine whether each channel has a learned scale and bias
 * @param trackRunningStats whether running statistics are kept; if not, evaluation mode uses those
 *     of the batch
 */
@WireValue
public record BatchNormConfiguration(
        int numFeatures,
        double eps,
        @Nullable Double momentum,
        boolean affine,
        boolean trackRunningStats) {

    /** Validates the options. */
    public BatchNormConfiguration {
        ArgumentChecks.requirePositive(numFeatures, "numFeatures");
        if (momentum != null && !(momentum >= 0 && momentum <= 1)) {
            throw new IllegalArgumentException(
                    "momentum should be between 0 and 1, got " + momentum);
        }
    }

    /**
     * Return PyTorch's defaults: an epsilon of 1e-5, a momentum of 0.1, an affine map, running
     * statistics.
     */
    public static BatchNormConfiguration of(int numFeatures) {
        return new BatchNormConfiguration(numFeatures, 1e-5, 0.1, true, true);
    }

    /** Return the same options with another epsilon. */
    public BatchNormConfiguration eps(double added) {
        return new BatchNormConfiguration(numFeatures, added, momentum, affine, trackRunningStats);
    }

    /** Return the same options with another momentum; null for a cumulative mean. */
    public BatchNormConfiguration momentum(@Nullable Double weight) {
        return new BatchNormConfiguration(numFeatures, eps, weight, affine, trackRunningStats);
    }

    /** Return the same options with a learned scale and bias, or without. */
    public BatchNormConfiguration affine(boolean wanted) {
        return new BatchNormConfiguration(numFeatures, eps, momentum, wanted, trackRunningStats);
    }

    /** Return the same options with running statistics, or without. */
    public BatchNormConfiguration trackRunningStats(boolean wanted) {
        return new BatchNormConfiguration(numFeatures, eps, momentum, affine, wanted);
    }

    String repr() {
        return new Repr(numFeatures)
                .add("eps", eps)
                .add("momentum", momentum)
                .add("affine", affine)
                .add("track_running_stats", trackRunningStats)
                .toString();
    }
}
