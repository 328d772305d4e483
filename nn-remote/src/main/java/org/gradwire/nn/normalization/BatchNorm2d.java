package org.gradwire.nn.normalization;

import org.gradwire.nn.Layer;
import org.gradwire.nn.Module;
import org.gradwire.nn.WireModule;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * Batch normalization of images {@code [n, c, h, w]}: normalizes each channel to mean 0 and
 * variance 1. Training mode uses the statistics of the batch and updates the running ones;
 * evaluation mode uses the running ones. Not thread-safe in training mode.
 */
@RemoteCallable
@WireValue
public final class BatchNorm2d extends Module implements Layer, WireModule<BatchNormConfiguration> {
    private final BatchNorm norm;

    /** Create a layer with PyTorch's options: a momentum of 0.1, an affine map afterwards. */
    public BatchNorm2d(int numFeatures) {
        this(BatchNormConfiguration.of(numFeatures));
    }

    /** Create a layer; its initial parameters are not random. */
    public BatchNorm2d(BatchNormConfiguration configuration) {
        norm = new BatchNorm(this, configuration);
    }

    /** Reset the running statistics and the parameters to their initial values. */
    public void resetParameters() {
        norm.reset();
    }

    @Override
    public BatchNormConfiguration configuration() {
        return norm.configuration();
    }

    @Override
    public Tensor forward(Tensor input) {
        int dim = input.dim();
        if (dim != 4) {
            throw new IllegalArgumentException("expected 4D input (got %dD input)".formatted(dim));
        }
        return norm.forward(input, isTraining());
    }

    @Override
    protected String extraRepr() {
        return norm.configuration().repr();
    }
}
