package org.gradwire.nn.normalization;

import org.gradwire.nn.Layer;
import org.gradwire.nn.Module;
import org.gradwire.nn.WireModule;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * Instance normalization of volumes {@code [n, c, d, h, w]} or {@code [c, d, h, w]}: normalizes
 * each channel of each sample to mean 0 and variance 1, without running statistics.
 */
@RemoteCallable
@WireValue
public final class InstanceNorm3d extends Module
        implements Layer, WireModule<InstanceNormConfiguration> {
    private final InstanceNorm norm;

    /** Create a layer with PyTorch's options: without parameters. */
    public InstanceNorm3d(int numFeatures) {
        this(InstanceNormConfiguration.of(numFeatures));
    }

    /** Create a layer; its initial parameters are not random. */
    public InstanceNorm3d(InstanceNormConfiguration configuration) {
        norm = new InstanceNorm(this, configuration, 5);
    }

    @Override
    public InstanceNormConfiguration configuration() {
        return norm.configuration();
    }

    @Override
    public Tensor forward(Tensor input) {
        return norm.forward(input);
    }

    @Override
    protected String extraRepr() {
        return norm.configuration().repr();
    }
}
