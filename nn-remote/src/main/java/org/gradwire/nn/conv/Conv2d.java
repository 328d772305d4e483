package org.gradwire.nn.conv;

import org.gradwire.nn.Layer;
import org.gradwire.nn.Module;
import org.gradwire.nn.Size2d;
import org.gradwire.nn.WireModule;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.Seeds;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A 2D convolution of images {@code [n, c, h, w]} or {@code [c, h, w]}. */
@RemoteCallable
@WireValue
public final class Conv2d extends Module implements Layer, WireModule<Conv2d.Configuration> {
    private static final Size2d ONE = new Size2d(1);
    private static final Size2d ZERO = new Size2d(0);

    private final Configuration configuration;
    private final Convolution convolution;

    /**
     * The options of a layer.
     *
     * @param inChannels the number of input channels, a multiple of {@code groups}
     * @param outChannels the number of output channels, a multiple of {@code groups}
     * @param kernelSize the size of the kernel
     * @param stride the step of the kernel
     * @param padding zero padding on both sides of each dimension
     * @param dilation the distance between the elements of the kernel
     * @param groups the number of groups of channels, each with its own kernels
     * @param bias whether a learned bias is added
     */
    @WireValue
    public record Configuration(
            int inChannels,
            int outChannels,
            Size2d kernelSize,
            Size2d stride,
            Size2d padding,
            Size2d dilation,
            int groups,
            boolean bias) {

        /** Validates the options. */
        public Configuration {
            ArgumentChecks.requireChannels(inChannels, outChannels, groups);
            ArgumentChecks.requireAtLeast(1, "kernelSize", kernelSize.toArray());
            ArgumentChecks.requireAtLeast(1, "stride", stride.toArray());
            ArgumentChecks.requireAtLeast(0, "padding", padding.toArray());
            ArgumentChecks.requireAtLeast(1, "dilation", dilation.toArray());
        }

        private Convolution.Channels channels() {
            return new Convolution.Channels(inChannels, outChannels, groups, bias);
        }

        private Convolution.Extents extents() {
            return Convolution.Extents.of(
                    kernelSize.toArray(), stride.toArray(), padding.toArray(), dilation.toArray());
        }
    }

    /** Builds a layer. */
    public static final class Builder {
        private final int inChannels;
        private final int outChannels;
        private final Size2d kernelSize;
        private Size2d stride = ONE;
        private Size2d padding = ZERO;
        private Size2d dilation = ONE;
        private int groups = 1;
        private boolean bias = true;

        private Builder(int inChannels, int outChannels, Size2d kernelSize) {
            this.inChannels = inChannels;
            this.outChannels = outChannels;
            this.kernelSize = kernelSize;
        }

        /** Set the step of the kernel; 1 by default. */
        public Builder stride(int step) {
            return stride(new Size2d(step));
        }

        /** As {@link #stride(int)}, for each dimension. */
        public Builder stride(Size2d step) {
            stride = step;
            return this;
        }

        /** Set the zero padding; 0 by default. */
        public Builder padding(int margin) {
            return padding(new Size2d(margin));
        }

        /** As {@link #padding(int)}, for each dimension. */
        public Builder padding(Size2d margin) {
            padding = margin;
            return this;
        }

        /** Set the distance between the elements of the kernel; 1 by default. */
        public Builder dilation(int step) {
            return dilation(new Size2d(step));
        }

        /** As {@link #dilation(int)}, for each dimension. */
        public Builder dilation(Size2d step) {
            dilation = step;
            return this;
        }

        /** Set the number of groups of channels; 1 by default. */
        public Builder groups(int count) {
            groups = count;
            return this;
        }

        /** Set whether a learned bias is added; true by default. */
        public Builder bias(boolean wanted) {
            bias = wanted;
            return this;
        }

        /** {@return the options} */
        public Configuration configuration() {
            return new Configuration(
                    inChannels, outChannels, kernelSize, stride, padding, dilation, groups, bias);
        }

        /** {@return a layer with random parameters} */
        public Conv2d build() {
            return build(Seeds.any());
        }

        /** {@return a layer with parameters drawn from a seeded generator} */
        public Conv2d build(long seed) {
            return new Conv2d(configuration(), seed);
        }
    }

    /** Create a layer with random parameters and a square kernel. */
    public Conv2d(int inChannels, int outChannels, int kernelSize) {
        this(inChannels, outChannels, kernelSize, Seeds.any());
    }

    /** Create a layer with a square kernel and parameters drawn from a seeded generator. */
    public Conv2d(int inChannels, int outChannels, int kernelSize, long seed) {
        this(builder(inChannels, outChannels, kernelSize).configuration(), seed);
    }

    /** Create a layer with parameters drawn from a seeded generator. */
    public Conv2d(Configuration configuration, long seed) {
        this(configuration);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create a layer whose parameters are NaN until they are loaded. */
    Conv2d(Configuration configuration) {
        this.configuration = configuration;
        convolution = new Convolution(this, configuration.channels(), configuration.extents());
    }

    /** Start a builder with square kernels and the default options. */
    public static Builder builder(int inChannels, int outChannels, int kernelSize) {
        return builder(inChannels, outChannels, new Size2d(kernelSize));
    }

    /** Start a builder with the default options. */
    public static Builder builder(int inChannels, int outChannels, Size2d kernelSize) {
        return new Builder(inChannels, outChannels, kernelSize);
    }

    /** Initialize the parameters uniformly within {@code ±1 / sqrt(fanIn)}. */
    public void resetParameters(RandomGenerator random) {
        convolution.reset(random);
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    /** {@return the kernels, of shape (outChannels, inChannels / groups, height, width)} */
    public Tensor weight() {
        return convolution.weight();
    }

    /**
     * {@return the bias, of shape (outChannels)}
     *
     * @throws IllegalStateException when it has none
     */
    public Tensor bias() {
        return convolution.bias();
    }

    @Override
    public Tensor forward(Tensor input) {
        return convolution.forward(input, Ops::conv2d);
    }

    @Override
    protected String extraRepr() {
        return convolution.repr();
    }
}
