package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Binary;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Transposed convolutions of images: what a convolution does with a gradient, and back. */
final class Transposed {

    private Transposed() {}

    private static int[] pair(String name, int[] given) {
        if (given.length != 1 && given.length != 2) {
            throw new IllegalArgumentException(
                    "expected %s to be a single integer value or a list of 2 values to match the convolution dimensions, but got %s=%s"
                            .formatted(name, name, Arrays.toString(given)));
        }
        return given.length == 2 ? given : new int[] {given[0], given[0]};
    }

    private static Tensor batch(Tensor image) {
        return image.dims.length == 4 ? image : Views.unsqueeze(image, 0);
    }

    static Tensor forward(Args a) {
        Tensor x = a.tensor(0);
        Tensor weight = a.tensor(1);
        Tensor bias = a.optionalTensor(2);
        ConvolutionShape shape = shape(x.dims, weight.dims, a);
        check(x, weight, bias, shape);
        Tensor result = Convolutions.inputGradient(batch(x.detach()), weight.detach(), shape);
        if (bias != null) {
            result =
                    Elementwise.binary(
                            Binary.ADD, result, bias.detach().viewAs(bias.numel(), 1, 1));
        }
        return x.dims.length == 4 ? result : Views.squeeze(result, 0);
    }

    private static void check(
            Tensor x, Tensor weight, @Nullable Tensor bias, ConvolutionShape shape) {
        if (x.dtype() != weight.dtype() || (bias != null && bias.dtype() != x.dtype())) {
            throw new IllegalArgumentException(
                    "Input type (%s) and weight type (%s) should be the same, and that of the bias"
                            .formatted(x.dtype(), weight.dtype()));
        }
        int channels = shape.input()[1];
        if (bias != null && (bias.dims.length != 1 || bias.dims[0] != channels)) {
            throw new IllegalArgumentException(
                    "Given transposed=1, weight of size %s, expected bias to be 1-dimensional with %d elements, but got bias of size %s instead"
                            .formatted(
                                    Arrays.toString(weight.dims),
                                    channels,
                                    Arrays.toString(bias.dims)));
        }
    }

    /** Return the convolution that this one transposes: it makes the input of the result. */
    private static ConvolutionShape shape(int[] input, int[] weight, Args a) {
        if ((input.length != 3 && input.length != 4) || weight.length != 4) {
            throw new IllegalArgumentException(
                    "Expected 3D (unbatched) or 4D (batched) input and 4D weight to conv_transpose2d, but got input of size: %s and weight of size: %s"
                            .formatted(Arrays.toString(input), Arrays.toString(weight)));
        }
        int[] from = input.length == 4 ? input : Shapes.with(input, 0, 1);
        int[] stride = pair("stride", a.integers(3));
        int[] padding = pair("padding", a.integers(4));
        int[] more = pair("output_padding", a.integers(5));
        int[] dilation = pair("dilation", a.integers(7));
        int groups = a.integer(6);
        if (from[1] != weight[0]) {
            throw new IllegalArgumentException(
                    "Given transposed=1, weight of size %s, expected input%s to have %d channels, but got %d channels instead"
                            .formatted(
                                    Arrays.toString(weight),
                                    Arrays.toString(input),
                                    weight[0],
                                    from[1]));
        }
        int[] to = {from[0], Math.multiplyExact(weight[1], groups), 0, 0};
        for (int d = 0; d < 2; d++) {
            if (more[d] < 0 || more[d] >= Math.max(stride[d], dilation[d])) {
                throw new IllegalArgumentException(
                        "output padding must be smaller than either stride or dilation, but got output_padding: %s, stride: %s and dilation: %s"
                                .formatted(
                                        Arrays.toString(more),
                                        Arrays.toString(stride),
                                        Arrays.toString(dilation)));
            }
            to[2 + d] =
                    extent(from[2 + d], weight[2 + d], stride[d], padding[d], dilation[d], more[d]);
        }
        var convolution = new Args(new Object[] {0, 0, 0, stride, padding, dilation, groups});
        return ConvolutionShape.of(to, weight, convolution);
    }

    private static int extent(
            int size, int kernel, int stride, int padding, int dilation, int more) {
        long extent =
                (size - 1L) * stride - 2L * padding + (long) dilation * (kernel - 1) + more + 1;
        if (extent < 1 || extent > Integer.MAX_VALUE || more >= Math.max(stride, dilation)) {
            throw new IllegalArgumentException(
                    "conv_transpose2d: an extent of %d with kernel %d, stride %d, padding %d, dilation %d and output padding %d gives %d; expected at least 1, and an output padding smaller than the stride or the dilation"
                            .formatted(size, kernel, stride, padding, dilation, more, extent));
        }
        return (int) extent;
    }

    static Tensor inputGradient(Saved saved, Tensor gradient) {
        ConvolutionShape shape = shape(saved.shape(0), saved.shape(1), saved.args());
        Tensor result = Convolutions.forward(batch(gradient), saved.input(1), null, shape);
        return result.viewAs(saved.shape(0));
    }

    static Tensor weightGradient(Saved saved, Tensor gradient) {
        ConvolutionShape shape = shape(saved.shape(0), saved.shape(1), saved.args());
        return Convolutions.weightGradient(batch(saved.input(0)), batch(gradient), shape);
    }

    static Tensor biasGradient(Tensor gradient) {
        return Reductions.sum(batch(gradient), new int[] {0, 2, 3}, false);
    }
}
