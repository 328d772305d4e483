package org.gradwire.tensor.rule.convolution;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.Im2Col;
import org.gradwire.tensor.operator.Args;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * The extents of a convolution.
 *
 * @param input {@code [n, c, h, w]}
 * @param weight {@code [o, c / groups, kh, kw]}
 * @param im2Col those of the channels of one group
 */
public record ConvolutionShape(int[] input, int[] weight, int groups, Im2Col im2Col) {

    /**
     * Check extents. The arguments of {@code aten::conv2d} from the fourth on are stride, padding,
     * dilation and groups.
     */
    public static ConvolutionShape of(int[] input, int[] weight, Args args) {
        int[] stride = pair("stride", args.integers(3));
        int[] padding = pair("padding", args.integers(4));
        int[] dilation = pair("dilation", args.integers(5));
        int groups = args.integer(6);
        checkNumbers(stride, padding, dilation, groups);
        checkDimensions(input, weight);
        int[] batch = input.length == 4 ? input : Shapes.with(input, 0, 1);
        checkChannels(batch, weight, groups);
        checkKernel(batch, weight, padding, dilation);
        var im2Col =
                new Im2Col(
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
        return new ConvolutionShape(batch, weight, groups, im2Col);
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

    /** Check the types and numbers of dimensions. */
    public static void check(Tensor input, Tensor weight, @Nullable Tensor bias) {
        if (input.dtype() != weight.dtype() || (bias != null && bias.dtype() != input.dtype())) {
            throw new IllegalArgumentException(
                    "Input type (%s) and weight type (%s) should be the same, and that of the bias"
                            .formatted(input.dtype(), weight.dtype()));
        }
        if (bias != null
                && (TensorAccess.dims(bias).length != 1
                        || TensorAccess.dims(bias)[0] != TensorAccess.dims(weight)[0])) {
            throw new IllegalArgumentException(
                    "Given weight of size %s, expected bias to be 1-dimensional with %d elements, but got bias of size %s instead"
                            .formatted(
                                    Arrays.toString(TensorAccess.dims(weight)),
                                    TensorAccess.dims(weight)[0],
                                    Arrays.toString(TensorAccess.dims(bias))));
        }
    }

    /** {@return the shape of the result} */
    public int[] output() {
        return new int[] {input[0], weight[0], im2Col.outHeight(), im2Col.outWidth()};
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
    @Nullable Im2Col turned() {
        int top = weight[2] - 1 - im2Col.paddingHeight();
        int left = weight[3] - 1 - im2Col.paddingWidth();
        boolean plain =
                groups == 1
                        && im2Col.strideHeight() == 1
                        && im2Col.strideWidth() == 1
                        && im2Col.dilationHeight() == 1
                        && im2Col.dilationWidth() == 1;
        if (!plain || top < 0 || left < 0) {
            return null;
        }
        return new Im2Col(
                weight[0],
                im2Col.outHeight(),
                im2Col.outWidth(),
                weight[2],
                weight[3],
                1,
                1,
                top,
                left);
    }
}
