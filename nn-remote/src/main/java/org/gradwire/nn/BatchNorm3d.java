package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * Brings each channel of batches of volumes {@code [n, c, d, h, w]} to mean 0 and variance 1; in
 * training by the statistics of the batch, which also move the running ones, otherwise by those.
 * Threads may not train one at the same time.
 */
@RemoteCallable
@WireValue
public final class BatchNorm3d extends Module implements Layer, WireModule<BatchNormConfiguration> {
    private final BatchNorm norm;

    /** Create a layer with PyTorch's options: a momentum of 0.1, an affine map afterwards. */
    public BatchNorm3d(int numFeatures) {
        this(BatchNormConfiguration.of(numFeatures));
    }

    /** Create a layer. There is nothing random in it. */
    public BatchNorm3d(BatchNormConfiguration configuration) {
        norm = new BatchNorm(this, configuration);
    }

    /** Give the running statistics and the parameters the values they began with. */
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
        if (dim != 5) {
            throw new IllegalArgumentException("expected 5D input (got %dD input)".formatted(dim));
        }
        return norm.forward(input, isTraining());
    }

    @Override
    protected String extraRepr() {
        return norm.configuration().repr();
    }
}
