package org.gradwire.nn.conv;

import org.gradwire.nn.Layer;
import org.gradwire.nn.Module;
import org.gradwire.nn.Size3d;
import org.gradwire.nn.WireModule;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.Seeds;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A 3D convolution of volumes {@code [n, c, d, h, w]} or {@code [c, d, h, w]}. */
@RemoteCallable
@WireValue
public final class Conv3d extends Module implements Layer, WireModule<Conv3d.Configuration> {
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
            Size3d kernelSize,
            Size3d stride,
            Size3d padding,
            Size3d dilation,
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
        private final Size3d kernelSize;
        private Size3d stride = new Size3d(1);
        private Size3d padding = new Size3d(0);
        private Size3d dilation = new Size3d(1);
        private int groups = 1;
        private boolean bias = true;

        private Builder(int inChannels, int outChannels, Size3d kernelSize) {
            this.inChannels = inChannels;
            this.outChannels = outChannels;
            this.kernelSize = kernelSize;
        }

        /** Set the step of the kernel; 1 by default. */
        public Builder stride(int number) {
            return stride(new Size3d(number));
        }

        /** As {@link #stride(int)}, for each dimension. */
        public Builder stride(Size3d numbers) {
            stride = numbers;
            return this;
        }

        /** Set the zero padding; 0 by default. */
        public Builder padding(int number) {
            return padding(new Size3d(number));
        }

        /** As {@link #padding(int)}, for each dimension. */
        public Builder padding(Size3d numbers) {
            padding = numbers;
            return this;
        }

        /** Set the distance between the elements of the kernel; 1 by default. */
        public Builder dilation(int number) {
            return dilation(new Size3d(number));
        }

        /** As {@link #dilation(int)}, for each dimension. */
        public Builder dilation(Size3d numbers) {
            dilation = numbers;
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
        public Conv3d build() {
            return build(Seeds.any());
        }

        /** {@return a layer with parameters drawn from a seeded generator} */
        public Conv3d build(long seed) {
            return new Conv3d(configuration(), seed);
        }
    }

    /** Create a layer with random parameters. */
    public Conv3d(int inChannels, int outChannels, int kernelSize) {
        this(builder(inChannels, outChannels, kernelSize).configuration(), Seeds.any());
    }

    /** Create a layer with parameters drawn from a seeded generator. */
    public Conv3d(Configuration configuration, long seed) {
        this(configuration);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create a layer whose parameters are NaN until they are loaded. */
    Conv3d(Configuration configuration) {
        this.configuration = configuration;
        convolution = new Convolution(this, configuration.channels(), configuration.extents());
    }

    /** Start a builder with the default options. */
    public static Builder builder(int inChannels, int outChannels, int kernelSize) {
        return new Builder(inChannels, outChannels, new Size3d(kernelSize));
    }

    /** Start a builder with the default options. */
    public static Builder builder(int inChannels, int outChannels, Size3d kernelSize) {
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

    /** {@return the kernels, of shape (outChannels, inChannels / groups, depth, height, width)} */
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
        return convolution.forward(input, Ops::conv3d);
    }

    @Override
    protected String extraRepr() {
        return convolution.repr();
    }
}
