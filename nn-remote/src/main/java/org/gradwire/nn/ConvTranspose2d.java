package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Filters that each element of images {@code [n, c, h, w]} or {@code [c, h, w]} is spread over: the
 * transpose of {@link Conv2d}.
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
     * @param inChannels of the inputs, a multiple of {@code groups}
     * @param outChannels of the results, a multiple of {@code groups}
     * @param kernelSize of a filter
     * @param stride from where one element is spread to where the next one is
     * @param padding margins of the result that are cut off
     * @param outputPadding further elements at the end of each dimension
     * @param dilation from one element under a filter to the next
     * @param groups into how many parts the channels are divided, each with filters of its own
     * @param bias whether something is added
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

        /** Checks the options. */
        public Configuration {
            Parameters.requireChannels(inChannels, outChannels, groups);
            kernelSize.requireAtLeast(1, "kernel_size");
            stride.requireAtLeast(1, "stride");
            padding.requireAtLeast(0, "padding");
            outputPadding.requireAtLeast(0, "output_padding");
            dilation.requireAtLeast(1, "dilation");
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

    /** Collects the options of a layer. */
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

        /** Say how far the elements are spread; 1 if nothing is said. */
        public Builder stride(int number) {
            return stride(new Size2d(number));
        }

        /** As {@link #stride(int)}, for each dimension. */
        public Builder stride(Size2d numbers) {
            stride = numbers;
            return this;
        }

        /** Cut margins of the result off. */
        public Builder padding(int number) {
            return padding(new Size2d(number));
        }

        /** As {@link #padding(int)}, for each dimension. */
        public Builder padding(Size2d numbers) {
            padding = numbers;
            return this;
        }

        /** Add elements at the end of each dimension. */
        public Builder outputPadding(int number) {
            return outputPadding(new Size2d(number));
        }

        /** As {@link #outputPadding(int)}, for each dimension. */
        public Builder outputPadding(Size2d numbers) {
            outputPadding = numbers;
            return this;
        }

        /** Say how far one element under a filter is from the next; 1 if nothing is said. */
        public Builder dilation(int number) {
            return dilation(new Size2d(number));
        }

        /** As {@link #dilation(int)}, for each dimension. */
        public Builder dilation(Size2d numbers) {
            dilation = numbers;
            return this;
        }

        /** Divide the channels into parts with filters of their own. */
        public Builder groups(int count) {
            groups = count;
            return this;
        }

        /** Say whether something is added; yes if nothing is said. */
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
            return build(Parameters.anySeed());
        }

        /** {@return a layer whose parameters follow from a seed} */
        public ConvTranspose2d build(long seed) {
            return new ConvTranspose2d(configuration(), seed);
        }
    }

    /** Create a layer with random parameters. */
    public ConvTranspose2d(int inChannels, int outChannels, int kernelSize) {
        this(builder(inChannels, outChannels, kernelSize).configuration(), Parameters.anySeed());
    }

    /** Create a layer whose parameters follow from a seed. */
    public ConvTranspose2d(Configuration configuration, long seed) {
        this(configuration);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create a layer whose parameters are NaN, for those that will be given to it. */
    public ConvTranspose2d(Configuration configuration) {
        this.configuration = configuration;
        convolution = new Convolution(this, configuration.channels(), configuration.extents());
    }

    /** Begin with a layer without further options. */
    public static Builder builder(int inChannels, int outChannels, int kernelSize) {
        return new Builder(inChannels, outChannels, new Size2d(kernelSize));
    }

    /** Begin with a layer without further options. */
    public static Builder builder(int inChannels, int outChannels, Size2d kernelSize) {
        return new Builder(inChannels, outChannels, kernelSize);
    }

    /**
     * Give the parameters new values: uniform in plus and minus one by the root of the number of
     * elements that a filter makes of one channel of the results.
     */
    public void resetParameters(RandomGenerator random) {
        convolution.reset(random);
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    /** {@return the filters, of shape (inChannels, outChannels / groups, height, width)} */
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
