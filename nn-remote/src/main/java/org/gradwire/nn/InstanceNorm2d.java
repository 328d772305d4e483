package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Tensor;

/**
 * Brings each channel of each of images {@code [n, c, h, w]}, or of single ones without {@code n},
 * to mean 0 and variance 1. There are no running statistics.
 */
@RemoteCallable
@WireValue
public final class InstanceNorm2d extends Module
        implements Layer, WireModule<InstanceNormConfiguration> {
    private final InstanceNorm norm;

    /** Create a layer with PyTorch's options: without parameters. */
    public InstanceNorm2d(int numFeatures) {
        this(InstanceNormConfiguration.of(numFeatures));
    }

    /** Create a layer. There is nothing random in it. */
    public InstanceNorm2d(InstanceNormConfiguration configuration) {
        norm = new InstanceNorm(this, configuration, 4);
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
