package org.gradwire.nn.normalization;

import org.gradwire.nn.Init;
import org.gradwire.nn.Module;
import org.gradwire.nn.internal.ParameterTensors;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Batch normalization of inputs with any number of dimensions. */
final class BatchNorm {
    private final BatchNormConfiguration configuration;
    private final @Nullable Tensor weight;
    private final @Nullable Tensor bias;
    private final @Nullable Tensor runningMean;
    private final @Nullable Tensor runningVar;
    private final @Nullable Tensor batches;

    /** Register the parameters and buffers with the owning module. */
    BatchNorm(Module owner, BatchNormConfiguration configuration) {
        this.configuration = configuration;
        int n = configuration.numFeatures();
        boolean affine = configuration.affine();
        weight = affine ? owner.registerParameter("weight", ParameterTensors.filled(1, n)) : null;
        bias = affine ? owner.registerParameter("bias", ParameterTensors.filled(0, n)) : null;
        boolean tracked = configuration.trackRunningStats();
        runningMean =
                tracked
                        ? owner.registerBuffer("running_mean", ParameterTensors.filled(0, n))
                        : null;
        runningVar =
                tracked ? owner.registerBuffer("running_var", ParameterTensors.filled(1, n)) : null;
        batches = tracked ? owner.registerBuffer("num_batches_tracked", Tensor.scalar(0L)) : null;
    }

    BatchNormConfiguration configuration() {
        return configuration;
    }

    void reset() {
        fill(weight, 1);
        fill(bias, 0);
        fill(runningMean, 0);
        fill(runningVar, 1);
        fill(batches, 0);
    }

    private static void fill(@Nullable Tensor tensor, double value) {
        if (tensor != null) {
            Init.constant_(tensor, value);
        }
    }

    Tensor forward(Tensor input, boolean training) {
        return Ops.batchNorm(
                input,
                weight,
                bias,
                runningMean,
                runningVar,
                training || runningMean == null,
                training ? momentum() : 0,
                configuration.eps());
    }

    /** Count a batch and return its weight in the running statistics. */
    private double momentum() {
        Double momentum = configuration.momentum();
        if (batches == null) {
            return momentum == null ? 0 : momentum;
        }
        batches.add_(1);
        return momentum == null ? 1.0 / batches.itemAsLong() : momentum;
    }
}
