package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.composite;
import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.sample.Sampler;
import org.gradwire.tensor.rule.ReductionRules;
import org.gradwire.tensor.rule.ViewRules;
import org.gradwire.tensor.rule.convolution.Conv1dRules;
import org.gradwire.tensor.rule.convolution.Conv3dRules;
import org.gradwire.tensor.rule.convolution.ConvolutionRules;
import org.gradwire.tensor.rule.convolution.ConvolutionShape;
import org.gradwire.tensor.rule.convolution.TransposedConvolutionRules;
import org.jspecify.annotations.Nullable;

import java.util.List;

/** Convolutions and transposed convolutions. */
@OperatorFamily
public final class ConvolutionRows {
    /**
     * Convolve images {@code [n, c, h, w]} with filters {@code [o, c, kh, kw]}.
     *
     * @param bias {@code [o]}, added to the channels of the result; null for none
     */
    public static final OperatorRow CONV2D =
            composite(
                            "aten::conv2d(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding)")
                    .forward(a ->
                            Ops.conv2d(
                                    a.tensor(0),
                                    a.tensor(1),
                                    a.optionalTensor(2),
                                    a.integers(3),
                                    a.integers(4),
                                    of(1),
                                    1))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Given groups=1, weight of size [6, 3, 3, 3], expected input[1, 4, 5, 5] to have 3 channels, but got 4 channels instead",
                                            s.tensor(1, 4, 5, 5),
                                            s.tensor(6, 3, 3, 3),
                                            null,
                                            of(1),
                                            of(0)),
                                    refusal(
                                            "non-positive stride is not supported: [0, 1]",
                                            s.tensor(4, 5, 5),
                                            s.tensor(6, 4, 3, 3),
                                            null,
                                            of(0, 1),
                                            of(0)),
                                    refusal(
                                            "negative padding is not supported: [-1, 0]",
                                            s.tensor(4, 5, 5),
                                            s.tensor(6, 4, 3, 3),
                                            null,
                                            of(1),
                                            of(-1, 0))))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(2, 2, 4, 5),
                                            s.tensor(3, 2, 3, 3),
                                            s.tensor(3),
                                            of(1, 1),
                                            of(1, 1)),
                                    args(
                                            s.tensor(1, 2, 5, 5),
                                            s.tensor(2, 2, 2, 3),
                                            null,
                                            of(2, 1),
                                            of(0, 2)),
                                    args(
                                            s.tensor(2, 1, 3, 3),
                                            s.tensor(1, 1, 1, 1),
                                            s.tensor(1),
                                            of(2, 2),
                                            of(0, 0))));

    /**
     * Convolve images {@code [n, c, h, w]}, or one image {@code [c, h, w]}, with filters {@code [o,
     * c / groups, kh, kw]}. Stride, padding and dilation are one number for both directions, or
     * two.
     *
     * @param bias {@code [o]}, added to the channels of the result; null for none
     * @param dilation the distance between the pixels under a filter
     * @param groups the number of channel groups, each with its own filters
     */
    public static final OperatorRow CONV2D_GROUPS =
            differentiable(
                            "aten::conv2d.groups(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, int groups)",
                            "ConvolutionBackward0")
                    .forward(a -> {
                        Tensor x = a.tensor(0);
                        Tensor weight = a.tensor(1);
                        var shape =
                                ConvolutionShape.of(
                                        TensorAccess.dims(x), TensorAccess.dims(weight), a);
                        ConvolutionShape.check(x, weight, a.optionalTensor(2));
                        Tensor batch = batch(x);
                        Tensor result =
                                ConvolutionRules.forward(batch, weight, a.optionalTensor(2), shape);
                        return TensorAccess.dims(x).length == 4
                                ? result
                                : ViewRules.squeeze(result, 0);
                    })
                    .keep(Keep.OTHER_INPUT)
                    .gradient(
                            (s, g) ->
                                    TensorAccess.viewAs(
                                            ConvolutionRules.inputGradient(
                                                    batch(g), s.input(1), shape(s)),
                                            s.shape(0)),
                            (s, g) ->
                                    ConvolutionRules.weightGradient(
                                            batch(g), batch(s.input(0)), shape(s)),
                            (_, g) -> ReductionRules.sum(batch(g), of(0, 2, 3), false))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Given groups=2, expected weight to be divisible by 2 at dimension 0, but got weight of size [5, 2, 3, 3] instead",
                                            slid(
                                                    s,
                                                    of(1, 4, 5, 5),
                                                    of(5, 2, 3, 3),
                                                    of(1),
                                                    of(0),
                                                    of(1),
                                                    2)),
                                    refusal(
                                            "Calculated padded input size per channel: (5 x 5). Kernel size: (7 x 7). Kernel size can't be greater than actual input size",
                                            slid(
                                                    s,
                                                    of(1, 4, 5, 5),
                                                    of(6, 4, 3, 3),
                                                    of(1),
                                                    of(0),
                                                    of(3),
                                                    1)),
                                    refusal(
                                            "Calculated padded input size per channel: (5 x 5). Kernel size: (2147483649 x 2147483649).",
                                            slid(
                                                    s,
                                                    of(1, 4, 5, 5),
                                                    of(6, 4, 3, 3),
                                                    of(1),
                                                    of(0),
                                                    of(1 << 30),
                                                    1)),
                                    refusal(
                                            "Given weight of size [6, 4, 3, 3], expected bias to be 1-dimensional with 6 elements, but got bias of size [5] instead",
                                            s.tensor(4, 5, 5),
                                            s.tensor(6, 4, 3, 3),
                                            s.tensor(5),
                                            of(1),
                                            of(0),
                                            of(1),
                                            1),
                                    refusal(
                                            "Expected 3D (unbatched) or 4D (batched) input to conv2d, but got input of size: [4, 4]",
                                            slid(
                                                    s,
                                                    of(4, 4),
                                                    of(6, 4, 3, 3),
                                                    of(1),
                                                    of(0),
                                                    of(1),
                                                    1)),
                                    refusal(
                                            "expected stride to be a single integer value or a list of 2 values to match the convolution dimensions, but got stride=[1, 1, 1]",
                                            slid(
                                                    s,
                                                    of(4, 5, 5),
                                                    of(6, 4, 3, 3),
                                                    of(1, 1, 1),
                                                    of(0),
                                                    of(1),
                                                    1))))
                    .samples(s ->
                            samples(
                                    slid(s, of(2, 4, 5, 6), of(6, 2, 3, 2), of(1), of(1), of(1), 2),
                                    slid(
                                            s,
                                            of(1, 2, 7, 8),
                                            of(3, 2, 3, 2),
                                            of(2, 1),
                                            of(2, 1),
                                            of(2, 3),
                                            1),
                                    slid(s, of(2, 3, 5, 5), of(6, 1, 3, 3), of(2), of(1), of(1), 3),
                                    slid(s, of(2, 6, 6), of(3, 2, 2, 2), of(3), of(0), of(1, 2), 1),
                                    slid(s, of(4, 5, 5), of(4, 1, 3, 3), of(1), of(2), of(2), 4)));

    /**
     * One-dimensional convolution of {@code [n, c, l]}, or {@code [c, l]}; as {@link Ops#conv2d}.
     *
     * @param bias {@code [o]}, added to the channels of the result; null for none
     */
    public static final OperatorRow CONV1D =
            composite(
                            "aten::conv1d(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, int groups)")
                    .forward(a -> Conv1dRules.conv1d(a))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Expected 2D (unbatched) or 3D (batched) input to conv1d, but got input of size: [5]",
                                            s.tensor(5),
                                            s.tensor(1, 1, 1),
                                            null,
                                            new int[] {1},
                                            new int[] {0},
                                            new int[] {1},
                                            1)))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(2, 4, 7),
                                            s.tensor(6, 2, 3),
                                            s.tensor(6),
                                            new int[] {2},
                                            new int[] {1},
                                            new int[] {1},
                                            2),
                                    args(
                                            s.tensor(2, 5),
                                            s.tensor(3, 2, 2),
                                            null,
                                            new int[] {1},
                                            new int[] {0},
                                            new int[] {2},
                                            1)));

    /**
     * Three-dimensional convolution of {@code [n, c, d, h, w]}, or {@code [c, d, h, w]}; as {@link
     * Ops#conv2d}.
     *
     * @param bias {@code [o]}, added to the channels of the result; null for none
     */
    public static final OperatorRow CONV3D =
            composite(
                            "aten::conv3d(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, int groups)")
                    .forward(a -> Conv3dRules.conv3d(a))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Expected 4D (unbatched) or 5D (batched) input to conv3d, but got input of size: [5]",
                                            s.tensor(5),
                                            s.tensor(1, 1, 1, 1, 1),
                                            null,
                                            new int[] {1},
                                            new int[] {0},
                                            new int[] {1},
                                            1),
                                    refusal(
                                            "Calculated padded input size per channel: (2 x 3 x 3). Kernel size: (3 x 1 x 1). Kernel size can't be greater than actual input size",
                                            s.tensor(1, 2, 3, 3),
                                            s.tensor(1, 1, 3, 1, 1),
                                            null,
                                            new int[] {1},
                                            new int[] {0},
                                            new int[] {1},
                                            1)))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(2, 2, 4, 3, 4),
                                            s.tensor(3, 2, 2, 3, 2),
                                            s.tensor(3),
                                            new int[] {1},
                                            new int[] {1},
                                            new int[] {1},
                                            1),
                                    args(
                                            s.tensor(4, 5, 4, 3),
                                            s.tensor(2, 2, 2, 2, 2),
                                            null,
                                            new int[] {2, 1, 1},
                                            new int[] {1, 0, 1},
                                            new int[] {2, 1, 1},
                                            2)));

    /**
     * Transposed convolution of images, the transpose of {@link Ops#conv2d}: weights are {@code [c,
     * o / groups, kh, kw]}.
     *
     * @param bias {@code [o]}, added to the channels of the result; null for none
     */
    public static final OperatorRow CONV_TRANSPOSE2D =
            differentiable(
                            "aten::conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] output_padding, int groups, int[] dilation)",
                            "ConvolutionBackward0")
                    .forward(a -> TransposedConvolutionRules.forward(a))
                    .keep(Keep.OTHER_INPUT)
                    .gradient(
                            TransposedConvolutionRules::inputGradient,
                            TransposedConvolutionRules::weightGradient,
                            (s, g) -> TransposedConvolutionRules.biasGradient(g))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Given transposed=1, weight of size [3, 2, 2, 2], expected input[1, 2, 3, 3] to have 3 channels, but got 2 channels instead",
                                            s.tensor(1, 2, 3, 3),
                                            s.tensor(3, 2, 2, 2),
                                            null,
                                            new int[] {1},
                                            new int[] {0},
                                            new int[] {0},
                                            1,
                                            new int[] {1}),
                                    refusal(
                                            "output padding must be smaller than either stride or dilation, but got outputPadding: [1, 1], stride: [1, 1] and dilation: [1, 1]",
                                            s.tensor(1, 3, 3, 3),
                                            s.tensor(3, 2, 2, 2),
                                            null,
                                            new int[] {1},
                                            new int[] {0},
                                            new int[] {1},
                                            1,
                                            new int[] {1})))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(2, 3, 3, 4),
                                            s.tensor(3, 2, 2, 3),
                                            s.tensor(2),
                                            new int[] {1},
                                            new int[] {0},
                                            new int[] {0},
                                            1,
                                            new int[] {1}),
                                    args(
                                            s.tensor(2, 4, 3, 2),
                                            s.tensor(4, 3, 3, 3),
                                            s.tensor(6),
                                            new int[] {2},
                                            new int[] {1},
                                            new int[] {1, 0},
                                            2,
                                            new int[] {1}),
                                    args(
                                            s.tensor(2, 3, 2),
                                            s.tensor(2, 1, 2, 2),
                                            null,
                                            new int[] {2, 3},
                                            new int[] {0, 1},
                                            new int[] {0},
                                            1,
                                            new int[] {2, 1})));

    /**
     * Transposed one-dimensional convolution, the transpose of {@link Ops#conv1d}.
     *
     * @param bias {@code [o]}, added to the channels of the result; null for none
     */
    public static final OperatorRow CONV_TRANSPOSE1D =
            composite(
                            "aten::conv_transpose1d(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] output_padding, int groups, int[] dilation)")
                    .forward(a -> Conv1dRules.convTranspose1d(a))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Expected 2D (unbatched) or 3D (batched) input to conv_transpose1d, but got input of size: [5]",
                                            s.tensor(5),
                                            s.tensor(1, 1, 1),
                                            null,
                                            new int[] {1},
                                            new int[] {0},
                                            new int[] {0},
                                            1,
                                            new int[] {1})))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(2, 3, 4),
                                            s.tensor(3, 2, 3),
                                            s.tensor(2),
                                            new int[] {2},
                                            new int[] {1},
                                            new int[] {1},
                                            1,
                                            new int[] {1}),
                                    args(
                                            s.tensor(3, 4),
                                            s.tensor(3, 1, 2),
                                            null,
                                            new int[] {1},
                                            new int[] {0},
                                            new int[] {0},
                                            1,
                                            new int[] {2})));

    private ConvolutionRows() {}

    private static int[] of(int... numbers) {
        return numbers;
    }

    private static @Nullable Object[] slid(
            Sampler s,
            int[] input,
            int[] weight,
            int[] stride,
            int[] padding,
            int[] dilation,
            int groups) {
        Tensor bias = groups == 3 ? null : s.tensor(weight[0]);
        return args(s.tensor(input), s.tensor(weight), bias, stride, padding, dilation, groups);
    }

    private static Tensor batch(Tensor image) {
        return TensorAccess.dims(image).length == 4 ? image : ViewRules.unsqueeze(image, 0);
    }

    private static ConvolutionShape shape(Saved saved) {
        return ConvolutionShape.of(saved.shape(0), saved.shape(1), saved.args());
    }
}
