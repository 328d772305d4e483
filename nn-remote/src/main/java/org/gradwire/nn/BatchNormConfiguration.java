package org.gradwire.nn;

import org.gradwire.rpc.WireValue;
import org.jspecify.annotations.Nullable;

/**
 * The options of {@link BatchNorm1d} and {@link BatchNorm2d}.
 *
 * @param numFeatures how many channels
 * @param eps added to a variance before its root is taken
 * @param momentum the part of a batch in the running statistics; null for their mean over all
 *     batches
 * @param affine whether each channel is multiplied by a parameter, and another one added
 * @param trackRunningStats whether there are running statistics; if not, those of the batch count
 *     in evaluation mode, too
 */
@WireValue
public record BatchNormConfiguration(
        int numFeatures,
        double eps,
        @Nullable Double momentum,
        boolean affine,
        boolean trackRunningStats) {

    /** Checks the options. */
    public BatchNormConfiguration {
        Parameters.requirePositive(numFeatures, "num_features");
        if (momentum != null && !(momentum >= 0 && momentum <= 1)) {
            throw new IllegalArgumentException(
                    "momentum should be between 0 and 1, got " + momentum);
        }
    }

    /** Return PyTorch's: 1e-5, a momentum of 0.1, an affine map, running statistics. */
    public static BatchNormConfiguration of(int numFeatures) {
        return new BatchNormConfiguration(numFeatures, 1e-5, 0.1, true, true);
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
