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

/**
 * A 2D transposed convolution of images {@code [n, c, h, w]} or {@code [c, h, w]}: the gradient of
 * {@link Conv2d} with respect to its input.
 */
@RemoteCallable
@WireValue
public final class ConvTranspose2d extends Module
        implements Layer, WireModule<ConvTranspose2d.Configuration> {
    private final Configuration configuration;
    private final Convolution convolution;

    /**
     * The options of a layer.
     *
     * @param inChannels the number of input channels, a multiple of {@code groups}
     * @param outChannels the number of output channels, a multiple of {@code groups}
     * @param kernelSize the size of the kernel
     * @param stride the step in the output between the elements of the input
     * @param padding the elements removed from both ends of each dimension of the output
     * @param outputPadding elements added at the end of each dimension of the output
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
            Size2d outputPadding,
            Size2d dilation,
            int groups,
            boolean bias) {

        /** Validates the options. */
        public Configuration {
            ArgumentChecks.requireChannels(inChannels, outChannels, groups);
            ArgumentChecks.requireAtLeast(1, "kernelSize", kernelSize.toArray());
            ArgumentChecks.requireAtLeast(1, "stride", stride.toArray());
            ArgumentChecks.requireAtLeast(0, "padding", padding.toArray());
            ArgumentChecks.requireAtLeast(0, "outputPadding", outputPadding.toArray());
            ArgumentChecks.requireAtLeast(1, "dilation", dilation.toArray());
        }

        private Convolution.Channels channels() {
            return new Convolution.Channels(inChannels, outChannels, groups, bias);
        }

        private Convolution.Extents extents() {
            return Convolution.Extents.transposed(
                    kernelSize.toArray(),
                    stride.toArray(),
                    padding.toArray(),
                    outputPadding.toArray(),
                    dilation.toArray());
        }
    }

    /** Builds a layer. */
    public static final class Builder {
        private final int inChannels;
        private final int outChannels;
        private final Size2d kernelSize;
        private Size2d stride = new Size2d(1);
        private Size2d padding = new Size2d(0);
        private Size2d outputPadding = new Size2d(0);
        private Size2d dilation = new Size2d(1);
        private int groups = 1;
        private boolean bias = true;

        private Builder(int inChannels, int outChannels, Size2d kernelSize) {
            this.inChannels = inChannels;
            this.outChannels = outChannels;
            this.kernelSize = kernelSize;
        }

        /** Set the step in the output between the elements of the input; 1 by default. */
        public Builder stride(int number) {
            return stride(new Size2d(number));
        }

        /** As {@link #stride(int)}, for each dimension. */
        public Builder stride(Size2d numbers) {
            stride = numbers;
            return this;
        }

        /**
         * Set the elements removed from both ends of each dimension of the output; 0 by default.
         */
        public Builder padding(int number) {
            return padding(new Size2d(number));
        }

        /** As {@link #padding(int)}, for each dimension. */
        public Builder padding(Size2d numbers) {
            padding = numbers;
            return this;
        }

        /** Set the elements added at the end of each dimension of the output; 0 by default. */
        public Builder outputPadding(int number) {
            return outputPadding(new Size2d(number));
        }

        /** As {@link #outputPadding(int)}, for each dimension. */
        public Builder outputPadding(Size2d numbers) {
            outputPadding = numbers;
            return this;
        }

        /** Set the distance between the elements of the kernel; 1 by default. */
        public Builder dilation(int number) {
            return dilation(new Size2d(number));
        }

        /** As {@link #dilation(int)}, for each dimension. */
        public Builder dilation(Size2d numbers) {
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
                    inChannels,
                    outChannels,
                    kernelSize,
                    stride,
                    padding,
                    outputPadding,
                    dilation,
                    groups,
                    bias);
        }

        /** {@return a layer with random parameters} */
        public ConvTranspose2d build() {
            return build(Seeds.any());
        }

        /** {@return a layer with parameters drawn from a seeded generator} */
        public ConvTranspose2d build(long seed) {
            return new ConvTranspose2d(configuration(), seed);
        }
    }

    /** Create a layer with random parameters. */
    public ConvTranspose2d(int inChannels, int outChannels, int kernelSize) {
        this(builder(inChannels, outChannels, kernelSize).configuration(), Seeds.any());
    }

    /** Create a layer with parameters drawn from a seeded generator. */
    public ConvTranspose2d(Configuration configuration, long seed) {
        this(configuration);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create a layer whose parameters are NaN until they are loaded. */
    ConvTranspose2d(Configuration configuration) {
        this.configuration = configuration;
        convolution = new Convolution(this, configuration.channels(), configuration.extents());
    }

    /** Start a builder with the default options. */
    public static Builder builder(int inChannels, int outChannels, int kernelSize) {
        return new Builder(inChannels, outChannels, new Size2d(kernelSize));
    }

    /** Start a builder with the default options. */
    public static Builder builder(int inChannels, int outChannels, Size2d kernelSize) {
        return new Builder(inChannels, outChannels, kernelSize);
    }

    /**
     * Initialize the parameters uniformly within {@code ±1 / sqrt(fanIn)}, where the fan-in counts
     * the kernel elements of one output channel.
     */
    public void resetParameters(RandomGenerator random) {
        convolution.reset(random);
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    /** {@return the kernels, of shape (inChannels, outChannels / groups, height, width)} */
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
        return convolution.forwardTransposed(input, Ops::convTranspose2d);
    }

    @Override
    protected String extraRepr() {
        return convolution.repr();
    }
}
