package org.gradwire.nn.normalization;

import org.gradwire.nn.Module;
import org.gradwire.nn.internal.ParameterTensors;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Instance normalization of inputs with any number of dimensions. */
final class InstanceNorm {
    private final InstanceNormConfiguration configuration;
    private final int dims;
    private final @Nullable Tensor weight;
    private final @Nullable Tensor bias;

    /** Register the parameters with the owning module. */
    InstanceNorm(Module owner, InstanceNormConfiguration configuration, int dims) {
        this.configuration = configuration;
        this.dims = dims;
        int n = configuration.numFeatures();
        boolean affine = configuration.affine();
        weight = affine ? owner.registerParameter("weight", ParameterTensors.filled(1, n)) : null;
        bias = affine ? owner.registerParameter("bias", ParameterTensors.filled(0, n)) : null;
    }

    InstanceNormConfiguration configuration() {
        return configuration;
    }

    Tensor forward(Tensor input) {
        if (input.dim() != dims && input.dim() != dims - 1) {
            throw new IllegalArgumentException(
                    "expected %dD or %dD input (got %dD input)"
                            .formatted(dims - 1, dims, input.dim()));
        }
        if (input.dim() == dims - 1) {
            return forward(input.unsqueeze(0)).squeeze(0);
        }
        int channels = configuration.numFeatures();
        if (input.size(1) != channels) {
            throw new IllegalArgumentException(
                    "expected input's size at dim=1 to match numFeatures (%d), but got: %d"
                            .formatted(channels, input.size(1)));
        }
        if (input.size(0) > 0 && input.numel() == (long) input.size(0) * channels) {
            throw new IllegalArgumentException(
                    "Expected more than 1 spatial element when training, got input size %s"
                            .formatted(Arrays.toString(input.shape())));
        }
        return Ops.groupNorm(input, channels, weight, bias, configuration.eps());
    }
}
