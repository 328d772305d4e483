package org.gradwire.tensor.rule.convolution;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.operator.Args;
import org.gradwire.tensor.operator.Saved;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.ReductionRules;
import org.gradwire.tensor.rule.ViewRules;
import org.gradwire.tensor.storage.Shapes;
import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/** Transposed convolutions of images: the gradient of a convolution as a forward rule. */
public final class TransposedConvolutionRules {

    private TransposedConvolutionRules() {}

    private static int[] pair(String name, int[] given) {
        if (given.length != 1 && given.length != 2) {
            throw new IllegalArgumentException(
                    "expected %s to be a single integer value or a list of 2 values to match the convolution dimensions, but got %s=%s"
                            .formatted(name, name, Arrays.toString(given)));
        }
        return given.length == 2 ? given : new int[] {given[0], given[0]};
    }

    private static Tensor batch(Tensor image) {
        return TensorAccess.dims(image).length == 4 ? image : ViewRules.unsqueeze(image, 0);
    }

    public static Tensor forward(Args a) {
        Tensor x = a.tensor(0);
        Tensor weight = a.tensor(1);
        Tensor bias = a.optionalTensor(2);
        ConvolutionShape shape = shape(TensorAccess.dims(x), TensorAccess.dims(weight), a);
        check(x, weight, bias, shape);
        Tensor result = ConvolutionRules.inputGradient(batch(x.detach()), weight.detach(), shape);
        if (bias != null) {
            result =
                    Elementwise.binary(
                            Binary.ADD,
                            result,
                            TensorAccess.viewAs(bias.detach(), bias.numel(), 1, 1));
        }
        return TensorAccess.dims(x).length == 4 ? result : ViewRules.squeeze(result, 0);
    }

    private static void check(
            Tensor x, Tensor weight, @Nullable Tensor bias, ConvolutionShape shape) {
        if (x.dtype() != weight.dtype() || (bias != null && bias.dtype() != x.dtype())) {
            throw new IllegalArgumentException(
                    "Input type (%s) and weight type (%s) should be the same, and that of the bias"
                            .formatted(x.dtype(), weight.dtype()));
        }
        int channels = shape.input()[1];
        if (bias != null
                && (TensorAccess.dims(bias).length != 1
                        || TensorAccess.dims(bias)[0] != channels)) {
            throw new IllegalArgumentException(
                    "Given transposed=1, weight of size %s, expected bias to be 1-dimensional with %d elements, but got bias of size %s instead"
                            .formatted(
                                    Arrays.toString(TensorAccess.dims(weight)),
                                    channels,
                                    Arrays.toString(TensorAccess.dims(bias))));
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
        int[] more = pair("outputPadding", a.integers(5));
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
                        "output padding must be smaller than either stride or dilation, but got outputPadding: %s, stride: %s and dilation: %s"
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

    public static Tensor inputGradient(Saved saved, Tensor gradient) {
        ConvolutionShape shape = shape(saved.shape(0), saved.shape(1), saved.args());
        Tensor result = ConvolutionRules.forward(batch(gradient), saved.input(1), null, shape);
        return TensorAccess.viewAs(result, saved.shape(0));
    }

    public static Tensor weightGradient(Saved saved, Tensor gradient) {
        ConvolutionShape shape = shape(saved.shape(0), saved.shape(1), saved.args());
        return ConvolutionRules.weightGradient(batch(saved.input(0)), batch(gradient), shape);
    }

    public static Tensor biasGradient(Tensor gradient) {
        return ReductionRules.sum(batch(gradient), new int[] {0, 2, 3}, false);
    }
}
