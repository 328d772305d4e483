package org.gradwire.nn;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Filters that slide over images {@code [n, c, h, w]} or {@code [c, h, w]}. */
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
     * @param inChannels of the images, a multiple of {@code groups}
     * @param outChannels how many filters, a multiple of {@code groups}
     * @param kernelSize of a filter
     * @param stride from one place of a filter to the next
     * @param padding margins of zeros
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
            Size2d dilation,
            int groups,
            boolean bias) {

        /** Checks the options. */
        public Configuration {
            Parameters.requireChannels(inChannels, outChannels, groups);
            kernelSize.requireAtLeast(1, "kernel_size");
            stride.requireAtLeast(1, "stride");
            padding.requireAtLeast(0, "padding");
            dilation.requireAtLeast(1, "dilation");
        }

        private Convolution.Channels channels() {
            return new Convolution.Channels(inChannels, outChannels, groups, bias);
        }

        private Convolution.Extents extents() {
            return Convolution.Extents.of(
                    kernelSize.toArray(), stride.toArray(), padding.toArray(), dilation.toArray());
        }
    }

    /** Collects the options of a layer. */
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

        /** Say how far one place of a filter is from the next; 1 if nothing is said. */
        public Builder stride(int step) {
            return stride(new Size2d(step));
        }

        /** As {@link #stride(int)}, for each dimension. */
        public Builder stride(Size2d step) {
            stride = step;
            return this;
        }

        /** Have margins of zeros. */
        public Builder padding(int margin) {
            return padding(new Size2d(margin));
        }

        /** As {@link #padding(int)}, for each dimension. */
        public Builder padding(Size2d margin) {
            padding = margin;
            return this;
        }

        /** Say how far one element under a filter is from the next; 1 if nothing is said. */
        public Builder dilation(int step) {
            return dilation(new Size2d(step));
        }

        /** As {@link #dilation(int)}, for each dimension. */
        public Builder dilation(Size2d step) {
            dilation = step;
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
                    inChannels, outChannels, kernelSize, stride, padding, dilation, groups, bias);
        }

        /** {@return a layer with random parameters} */
        public Conv2d build() {
            return build(Parameters.anySeed());
        }

        /** {@return a layer whose parameters follow from a seed} */
        public Conv2d build(long seed) {
            return new Conv2d(configuration(), seed);
        }
    }

    /** Create a layer with random parameters and square filters. */
    public Conv2d(int inChannels, int outChannels, int kernelSize) {
        this(inChannels, outChannels, kernelSize, Parameters.anySeed());
    }

    /** Create a layer with square filters, whose parameters follow from a seed. */
    public Conv2d(int inChannels, int outChannels, int kernelSize, long seed) {
        this(builder(inChannels, outChannels, kernelSize).configuration(), seed);
    }

    /** Create a layer whose parameters follow from a seed. */
    public Conv2d(Configuration configuration, long seed) {
        this(configuration);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create a layer whose parameters are NaN, for those that will be given to it. */
    public Conv2d(Configuration configuration) {
        this.configuration = configuration;
        convolution = new Convolution(this, configuration.channels(), configuration.extents());
    }

    /** Begin with a layer of square filters, without further options. */
    public static Builder builder(int inChannels, int outChannels, int kernelSize) {
        return builder(inChannels, outChannels, new Size2d(kernelSize));
    }

    /** Begin with a layer without further options. */
    public static Builder builder(int inChannels, int outChannels, Size2d kernelSize) {
        return new Builder(inChannels, outChannels, kernelSize);
    }

    /**
     * Give the parameters new values: uniform in plus and minus one by the root of the number of
     * elements that a filter looks at.
     */
    public void resetParameters(RandomGenerator random) {
        convolution.reset(random);
    }

    @Override
    public Configuration configuration() {
        return configuration;
    }

    /** {@return the filters, of shape (outChannels, inChannels / groups, height, width)} */
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
