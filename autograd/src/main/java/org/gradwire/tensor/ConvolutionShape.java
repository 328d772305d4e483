package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Patches;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * The extents of a convolution.
 *
 * @param input {@code [n, c, h, w]}
 * @param weight {@code [o, c / groups, kh, kw]}
 * @param patches those of the channels of one group
 */
record ConvolutionShape(int[] input, int[] weight, int groups, Patches patches) {

    /**
     * Check extents. The arguments of {@code aten::conv2d} from the fourth on are stride, padding,
     * dilation and groups.
     */
    static ConvolutionShape of(int[] input, int[] weight, Args args) {
        int[] stride = pair("stride", args.integers(3));
        int[] padding = pair("padding", args.integers(4));
        int[] dilation = pair("dilation", args.integers(5));
        int groups = args.integer(6);
        checkNumbers(stride, padding, dilation, groups);
        checkDimensions(input, weight);
        int[] batch = input.length == 4 ? input : Shapes.with(input, 0, 1);
        checkChannels(batch, weight, groups);
        checkKernel(batch, weight, padding, dilation);
        var patches =
                new Patches(
                        batch[1] / groups,
                        batch[2],
                        batch[3],
                        weight[2],
                        weight[3],
                        stride[0],
                        stride[1],
                        padding[0],
                        padding[1],
                        dilation[0],
                        dilation[1]);
        return new ConvolutionShape(batch, weight, groups, patches);
    }

    private static int[] pair(String name, int[] values) {
        return switch (values.length) {
            case 1 -> new int[] {values[0], values[0]};
            case 2 -> values;
            default ->
                    throw new IllegalArgumentException(
                            "expected %s to be a single integer value or a list of 2 values to match the convolution dimensions, but got %s=%s"
                                    .formatted(name, name, Arrays.toString(values)));
        };
    }

    private static void checkNumbers(int[] stride, int[] padding, int[] dilation, int groups) {
        for (int d = 0; d < 2; d++) {
            if (stride[d] <= 0) {
                throw new IllegalArgumentException(
                        "non-positive stride is not supported: " + Arrays.toString(stride));
            }
            if (padding[d] < 0) {
                throw new IllegalArgumentException(
                        "negative padding is not supported: " + Arrays.toString(padding));
            }
            if (dilation[d] <= 0) {
                throw new IllegalArgumentException(
                        "dilation should be greater than zero, but got "
                                + Arrays.toString(dilation));
            }
        }
        if (groups <= 0) {
            throw new IllegalArgumentException("non-positive groups is not supported: " + groups);
        }
    }

    private static void checkDimensions(int[] input, int[] weight) {
        if (input.length != 3 && input.length != 4) {
            throw new IllegalArgumentException(
                    "Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: "
                            + Arrays.toString(input));
        }
        if (weight.length != 4) {
            throw new IllegalArgumentException(
                    "conv2d: expected weight [o, c / groups, kh, kw], but got weight of size: "
                            + Arrays.toString(weight));
        }
    }

    private static void checkChannels(int[] input, int[] weight, int groups) {
        if (weight[0] < groups) {
            throw new IllegalArgumentException(
                    "Given groups=%d, expected weight to be at least %d at dimension 0, but got weight of size %s instead"
                            .formatted(groups, groups, Arrays.toString(weight)));
        }
        if (weight[0] % groups != 0) {
            throw new IllegalArgumentException(
                    "Given groups=%d, expected weight to be divisible by %d at dimension 0, but got weight of size %s instead"
                            .formatted(groups, groups, Arrays.toString(weight)));
        }
        if (input[1] != weight[1] * groups) {
            throw new IllegalArgumentException(
                    "Given groups=%d, weight of size %s, expected input%s to have %d channels, but got %d channels instead"
                            .formatted(
                                    groups,
                                    Arrays.toString(weight),
                                    Arrays.toString(input),
                                    weight[1] * groups,
                                    input[1]));
        }
    }

    private static void checkKernel(int[] input, int[] weight, int[] padding, int[] dilation) {
        long height = input[2] + 2L * padding[0];
        long width = input[3] + 2L * padding[1];
        if (Math.max(height, width) > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "padding %s is too large for input of size %s: an extent of at most %d is supported"
                            .formatted(
                                    Arrays.toString(padding),
                                    Arrays.toString(input),
                                    Integer.MAX_VALUE));
        }
        long kernelHeight = (long) dilation[0] * (weight[2] - 1) + 1;
        long kernelWidth = (long) dilation[1] * (weight[3] - 1) + 1;
        if (height < kernelHeight || width < kernelWidth || weight[2] < 1 || weight[3] < 1) {
            throw new IllegalArgumentException(
                    "Calculated padded input size per channel: (%d x %d). Kernel size: (%d x %d). Kernel size can't be greater than actual input size"
                            .formatted(height, width, kernelHeight, kernelWidth));
        }
    }

    /** Check what is not an extent. */
    static void check(Tensor input, Tensor weight, @Nullable Tensor bias) {
        if (input.dtype() != weight.dtype() || (bias != null && bias.dtype() != input.dtype())) {
            throw new IllegalArgumentException(
                    "Input type (%s) and weight type (%s) should be the same, and that of the bias"
                            .formatted(input.dtype(), weight.dtype()));
        }
        if (bias != null && (bias.dims.length != 1 || bias.dims[0] != weight.dims[0])) {
            throw new IllegalArgumentException(
                    "Given weight of size %s, expected bias to be 1-dimensional with %d elements, but got bias of size %s instead"
                            .formatted(
                                    Arrays.toString(weight.dims),
                                    weight.dims[0],
                                    Arrays.toString(bias.dims)));
        }
    }

    /** {@return the shape of the result} */
    int[] output() {
        return new int[] {input[0], weight[0], patches.outHeight(), patches.outWidth()};
    }

    /** {@return the output channels of one group} */
    int outChannels() {
        return weight[0] / groups;
    }

    /** {@return the groups of all images} */
    int units() {
        return input[0] * groups;
    }

    /**
     * {@return the patches of the gradient that give that of the input, which is the convolution
     * with the turned kernel; null where it is not one}
     */
    @Nullable Patches turned() {
        int top = weight[2] - 1 - patches.paddingHeight();
        int left = weight[3] - 1 - patches.paddingWidth();
        boolean plain =
                groups == 1
                        && patches.strideHeight() == 1
                        && patches.strideWidth() == 1
                        && patches.dilationHeight() == 1
                        && patches.dilationWidth() == 1;
        if (!plain || top < 0 || left < 0) {
            return null;
        }
        return new Patches(
                weight[0],
                patches.outHeight(),
                patches.outWidth(),
                weight[2],
                weight[3],
                1,
                1,
                top,
                left);
    }
}
