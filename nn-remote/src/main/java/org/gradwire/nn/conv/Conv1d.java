package org.gradwire.nn.conv;

import org.gradwire.nn.Layer;
import org.gradwire.nn.Module;
import org.gradwire.nn.WireModule;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.Seeds;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.WireValue;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** A 1D convolution of inputs {@code [n, c, l]} or {@code [c, l]}. */
@RemoteCallable
@WireValue
public final class Conv1d extends Module implements Layer, WireModule<Conv1d.Configuration> {
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
            int kernelSize,
            int stride,
            int padding,
            int dilation,
            int groups,
            boolean bias) {

        /** Validates the options. */
        public Configuration {
            ArgumentChecks.requireChannels(inChannels, outChannels, groups);
            ArgumentChecks.requirePositive(kernelSize, "kernelSize");
            ArgumentChecks.requirePositive(stride, "stride");
            ArgumentChecks.requireNotNegative(padding, "padding");
            ArgumentChecks.requirePositive(dilation, "dilation");
        }

        private Convolution.Channels channels() {
            return new Convolution.Channels(inChannels, outChannels, groups, bias);
        }

        private Convolution.Extents extents() {
            return Convolution.Extents.of(
                    new int[] {kernelSize},
                    new int[] {stride},
                    new int[] {padding},
                    new int[] {dilation});
        }
    }

    /** Builds a layer. */
    public static final class Builder {
        private final int inChannels;
        private final int outChannels;
        private final int kernelSize;
        private int stride = 1;
        private int padding = 0;
        private int dilation = 1;
        private int groups = 1;
        private boolean bias = true;

        private Builder(int inChannels, int outChannels, int kernelSize) {
            this.inChannels = inChannels;
            this.outChannels = outChannels;
            this.kernelSize = kernelSize;
        }

        /** Set the step of the kernel; 1 by default. */
        public Builder stride(int number) {
            stride = number;
            return this;
        }

        /** Set the zero padding; 0 by default. */
        public Builder padding(int number) {
            padding = number;
            return this;
        }

        /** Set the distance between the elements of the kernel; 1 by default. */
        public Builder dilation(int number) {
            dilation = number;
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
        public Conv1d build() {
            return build(Seeds.any());
        }

        /** {@return a layer with parameters drawn from a seeded generator} */
        public Conv1d build(long seed) {
            return new Conv1d(configuration(), seed);
        }
    }

    /** Create a layer with random parameters. */
    public Conv1d(int inChannels, int outChannels, int kernelSize) {
        this(builder(inChannels, outChannels, kernelSize).configuration(), Seeds.any());
    }

    /** Create a layer with parameters drawn from a seeded generator. */
    public Conv1d(Configuration configuration, long seed) {
        this(configuration);
        resetParameters(new SplittableRandom(seed));
    }

    /** Create a layer whose parameters are NaN until they are loaded. */
    Conv1d(Configuration configuration) {
        this.configuration = configuration;
        convolution = new Convolution(this, configuration.channels(), configuration.extents());
    }

    /** Start a builder with the default options. */
    public static Builder builder(int inChannels, int outChannels, int kernelSize) {
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

    /** {@return the kernels, of shape (outChannels, inChannels / groups, length)} */
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
        return convolution.forward(input, Ops::conv1d);
    }

    @Override
    protected String extraRepr() {
        return convolution.repr();
    }
}
