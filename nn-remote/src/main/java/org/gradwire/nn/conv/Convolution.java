package org.gradwire.nn.conv;

import static java.util.Objects.requireNonNull;

import org.gradwire.nn.Module;
import org.gradwire.nn.internal.ArgumentChecks;
import org.gradwire.nn.internal.ParameterTensors;
import org.gradwire.nn.internal.Repr;
import org.gradwire.tensor.Tensor;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.random.RandomGenerator;

/**
 * The kernels and the bias of a convolution or transposed convolution with any number of spatial
 * dimensions.
 */
final class Convolution {
    private final Module owner;
    private final Channels channels;
    private final Extents extents;
    private final Tensor weight;
    private final @Nullable Tensor bias;

    /**
     * The channels of a layer.
     *
     * @param bias whether a learned bias is added to each output channel
     */
    record Channels(int in, int out, int groups, boolean bias) {}

    /** The geometry of a layer: one number for each spatial dimension. */
    static final class Extents {
        private final int[] kernel;
        private final int[] stride;
        private final int[] padding;
        private final int @Nullable [] outputPadding; // null unless transposed
        private final int[] dilation;

        private Extents(
                int[] kernel,
                int[] stride,
                int[] padding,
                int @Nullable [] outputPadding,
                int[] dilation) {
            this.kernel = kernel;
            this.stride = stride;
            this.padding = padding;
            this.outputPadding = outputPadding;
            this.dilation = dilation;
        }

        static Extents of(int[] kernel, int[] stride, int[] padding, int[] dilation) {
            return new Extents(kernel, stride, padding, null, dilation);
        }

        static Extents transposed(
                int[] kernel, int[] stride, int[] padding, int[] outputPadding, int[] dilation) {
            return new Extents(kernel, stride, padding, outputPadding, dilation);
        }
    }

    /** A convolution of {@link org.gradwire.tensor.Ops}. */
    interface Operator {
        Tensor apply(
                Tensor input,
                Tensor weight,
                @Nullable Tensor bias,
                int[] stride,
                int[] padding,
                int[] dilation,
                int groups);
    }

    /** A transposed convolution of {@link org.gradwire.tensor.Ops}. */
    interface TransposedOperator {
        Tensor apply(
                Tensor input,
                Tensor weight,
                @Nullable Tensor bias,
                int[] stride,
                int[] padding,
                int[] outputPadding,
                int groups,
                int[] dilation);
    }

    /** Register NaN parameters with the owning module. */
    Convolution(Module owner, Channels channels, Extents extents) {
        this.owner = owner;
        this.channels = channels;
        this.extents = extents;
        boolean transposed = extents.outputPadding != null;
        int first = transposed ? channels.in : channels.out;
        int second = (transposed ? channels.out : channels.in) / channels.groups;
        int[] shape = new int[extents.kernel.length + 2];
        shape[0] = first;
        shape[1] = second;
        System.arraycopy(extents.kernel, 0, shape, 2, extents.kernel.length);
        weight = owner.registerParameter("weight", ParameterTensors.unset(shape));
        bias =
                channels.bias
                        ? owner.registerParameter("bias", ParameterTensors.unset(channels.out))
                        : null;
    }

    void reset(RandomGenerator random) {
        ParameterTensors.initialize(weight, bias, random);
    }

    Tensor weight() {
        return weight;
    }

    Tensor bias() {
        return ArgumentChecks.required(bias, "bias", owner);
    }

    Tensor forward(Tensor input, Operator operator) {
        return operator.apply(
                input,
                weight,
                bias,
                extents.stride,
                extents.padding,
                extents.dilation,
                channels.groups);
    }

    Tensor forwardTransposed(Tensor input, TransposedOperator operator) {
        return operator.apply(
                input,
                weight,
                bias,
                extents.stride,
                extents.padding,
                requireNonNull(extents.outputPadding),
                channels.groups,
                extents.dilation);
    }

    String repr() {
        Repr repr =
                new Repr(channels.in, channels.out)
                        .add("kernel_size", Repr.tuple(extents.kernel))
                        .add("stride", Repr.tuple(extents.stride))
                        .add("padding", Repr.tuple(extents.padding), all(0))
                        .add("dilation", Repr.tuple(extents.dilation), all(1));
        if (extents.outputPadding != null) {
            repr.add("output_padding", Repr.tuple(extents.outputPadding), all(0));
        }
        return repr.add("groups", channels.groups, 1).add("bias", channels.bias, true).toString();
    }

    /** {@return the tuple with the same number for each dimension} */
    private String all(int number) {
        int[] numbers = new int[extents.kernel.length];
        Arrays.fill(numbers, number);
        return Repr.tuple(numbers);
    }
}
