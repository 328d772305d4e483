package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.composite;
import static org.gradwire.tensor.OperatorRow.differentiable;
import static org.gradwire.tensor.Refusal.refusal;
import static org.gradwire.tensor.Sampler.args;
import static org.gradwire.tensor.Sampler.samples;

import org.gradwire.tensor.Saved.Keep;

import java.util.List;

/** Convolutions and poolings of rows and volumes, and transposed convolutions. */
final class ConvolutionRows {
    static final OperatorRow CONV1D =
            composite(
                            "aten::conv1d(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, int groups)")
                    .forward(a -> Lines.conv1d(a))
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

    static final OperatorRow CONV3D =
            composite(
                            "aten::conv3d(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] dilation, int groups)")
                    .forward(a -> Volumes.conv3d(a))
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

    static final OperatorRow CONV_TRANSPOSE2D =
            differentiable(
                            "aten::conv_transpose2d.input(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] output_padding, int groups, int[] dilation)",
                            "ConvolutionBackward0")
                    .forward(a -> Transposed.forward(a))
                    .keep(Keep.OTHER_INPUT)
                    .gradient(
                            Transposed::inputGradient,
                            Transposed::weightGradient,
                            (s, g) -> Transposed.biasGradient(g))
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
                                            "output padding must be smaller than either stride or dilation, but got output_padding: [1, 1], stride: [1, 1] and dilation: [1, 1]",
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

    static final OperatorRow CONV_TRANSPOSE1D =
            composite(
                            "aten::conv_transpose1d(Tensor input, Tensor weight, Tensor? bias, int[] stride, int[] padding, int[] output_padding, int groups, int[] dilation)")
                    .forward(a -> Lines.convTranspose1d(a))
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

    static final OperatorRow MAX_POOL1D =
            composite(
                            "aten::max_pool1d(Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] dilation, boolean ceil_mode)")
                    .forward(a -> Lines.maxPool1d(a))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Expected 2D (unbatched) or 3D (batched) input to max_pool1d, but got input of size: [5]",
                                            s.tensor(5),
                                            new int[] {1},
                                            new int[] {1},
                                            new int[] {0},
                                            new int[] {1},
                                            false)))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(2, 3, 7),
                                            new int[] {3},
                                            new int[] {2},
                                            new int[] {1},
                                            new int[] {1},
                                            false),
                                    args(
                                            s.tensor(3, 7),
                                            new int[] {2},
                                            new int[] {},
                                            new int[] {0},
                                            new int[] {2},
                                            true)));

    static final OperatorRow AVG_POOL1D =
            composite(
                            "aten::avg_pool1d(Tensor self, int[] kernel_size, int[] stride, int[] padding, boolean ceil_mode, boolean count_include_pad)")
                    .forward(a -> Lines.avgPool1d(a))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Expected 2D (unbatched) or 3D (batched) input to avg_pool1d, but got input of size: [5]",
                                            s.tensor(5),
                                            new int[] {1},
                                            new int[] {1},
                                            new int[] {0},
                                            false,
                                            false)))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(2, 3, 7),
                                            new int[] {3},
                                            new int[] {2},
                                            new int[] {1},
                                            false,
                                            true),
                                    args(
                                            s.tensor(3, 7),
                                            new int[] {2},
                                            new int[] {},
                                            new int[] {1},
                                            true,
                                            false)));

    static final OperatorRow ADAPTIVE_AVG_POOL1D =
            composite("aten::adaptive_avg_pool1d(Tensor self, int[] output_size)")
                    .forward(a -> Lines.adaptiveAvgPool1d(a))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Expected 2D (unbatched) or 3D (batched) input to adaptive_avg_pool1d, but got input of size: [5]",
                                            s.tensor(5),
                                            new int[] {1})))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3, 7), new int[] {3}),
                                    args(s.tensor(3, 4), new int[] {6})));

    static final OperatorRow ADAPTIVE_MAX_POOL2D =
            composite("aten::adaptive_max_pool2d(Tensor self, int[] output_size)")
                    .forward(a -> Lines.adaptiveMaxPool2d(a))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "adaptive_max_pool2d: expected an image of 3 or 4 dimensions and a positive output size, but got input of size [5] and output size [1]",
                                            s.tensor(5),
                                            new int[] {1})))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 2, 5, 4), new int[] {2, 3}),
                                    args(s.tensor(2, 5, 5), new int[] {1})));

    static final List<OperatorRow> ALL =
            List.of(
                    CONV1D,
                    CONV3D,
                    CONV_TRANSPOSE2D,
                    CONV_TRANSPOSE1D,
                    MAX_POOL1D,
                    AVG_POOL1D,
                    ADAPTIVE_AVG_POOL1D,
                    ADAPTIVE_MAX_POOL2D);

    private ConvolutionRows() {}
}
