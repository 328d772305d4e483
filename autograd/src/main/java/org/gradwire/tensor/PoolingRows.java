package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.differentiable;
import static org.gradwire.tensor.Refusal.refusal;
import static org.gradwire.tensor.Sampler.args;
import static org.gradwire.tensor.Sampler.samples;

import org.gradwire.tensor.OperatorRow.Samples;

import java.util.List;

/** Operators that bring windows of images down to one number each. */
final class PoolingRows {
    private static final Samples MAXIMUM =
            s ->
                    samples(
                            args(s.tensor(2, 2, 4, 6), of(2), of(), of(0), of(1), false),
                            args(s.tensor(2, 5, 7), of(3, 2), of(2, 1), of(1, 0), of(1), false),
                            args(s.tensor(1, 1, 5, 6), of(2), of(2), of(1), of(2, 1), true),
                            args(turned(s, 2, 5, 4), of(3), of(1), of(1), of(1), true));

    private static final Refusal.Samples MAXIMUM_REFUSED =
            s ->
                    List.of(
                            refusal(
                                    "Given input size: (3x4x4). Calculated output size: (3x0x0). Output size is too small",
                                    s.tensor(1, 3, 4, 4),
                                    of(5),
                                    of(),
                                    of(0),
                                    of(1),
                                    false),
                            refusal(
                                    "Given input size: (3x4x4). Calculated output size: (3x-2147483644x-2147483644). Output size is too small",
                                    s.tensor(3, 4, 4),
                                    of(3),
                                    of(1),
                                    of(0),
                                    of(1 << 30),
                                    false),
                            refusal(
                                    "pad should be at most half of kernel size, and not negative, but got pad=2 and kernel_size=2",
                                    s.tensor(3, 4, 4),
                                    of(2),
                                    of(),
                                    of(2),
                                    of(1),
                                    false),
                            refusal(
                                    "max_pool2d: kernel_size must either be a single int, or a tuple of two ints; got []",
                                    s.tensor(3, 4, 4),
                                    of(),
                                    of(),
                                    of(0),
                                    of(1),
                                    false),
                            refusal(
                                    "max_pool2d: Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got: [4, 4]",
                                    s.tensor(4, 4),
                                    of(2),
                                    of(),
                                    of(0),
                                    of(1),
                                    false),
                            refusal(
                                    "\"max_pool2d\" not implemented for 'Long'; convert the input with to(dtype)",
                                    s.longs(3, 4, 4),
                                    of(2),
                                    of(),
                                    of(0),
                                    of(1),
                                    false));

    static final OperatorRow MAX_POOL2D =
            differentiable(
                            "aten::max_pool2d(Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] dilation, boolean ceil_mode)",
                            "MaxPool2DWithIndicesBackward0")
                    .forward(Pools::maximum)
                    .gradient(Pools::maximumGradient)
                    .refuses(MAXIMUM_REFUSED)
                    .samples(MAXIMUM);

    static final OperatorRow MAX_POOL2D_WITH_INDICES =
            differentiable(
                            "aten::max_pool2d_with_indices(Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] dilation, boolean ceil_mode) -> List",
                            "MaxPool2DWithIndicesBackward0")
                    .forward(Pools::maximumWithIndices)
                    .gradient(Pools::maximumGradient)
                    .refuses(MAXIMUM_REFUSED)
                    .samples(MAXIMUM);

    static final OperatorRow AVG_POOL2D =
            differentiable(
                            "aten::avg_pool2d(Tensor self, int[] kernel_size, int[] stride, int[] padding, boolean ceil_mode, boolean count_include_pad, int? divisor_override)",
                            "AvgPool2DBackward0")
                    .forward(Pools::average)
                    .gradient(Pools::averageGradient)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "divisor must be not zero",
                                            s.tensor(1, 4, 4),
                                            of(2),
                                            of(),
                                            of(0),
                                            false,
                                            true,
                                            0),
                                    refusal(
                                            "avg_pool2d: kernel_size must either be a single int, or a tuple of two ints; got [2, 2, 2]",
                                            s.tensor(1, 4, 4),
                                            of(2, 2, 2),
                                            of(),
                                            of(0),
                                            false,
                                            true,
                                            null),
                                    refusal(
                                            "stride should be greater than zero, but got dH: 1 dW: 0",
                                            s.tensor(1, 4, 4),
                                            of(2),
                                            of(1, 0),
                                            of(0),
                                            false,
                                            true,
                                            null),
                                    refusal(
                                            "\"avg_pool2d\" not implemented for 'Long'",
                                            s.longs(1, 4, 4),
                                            of(2),
                                            of(),
                                            of(0),
                                            false,
                                            true,
                                            null)))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(2, 2, 4, 6),
                                            of(2),
                                            of(),
                                            of(0),
                                            false,
                                            true,
                                            null),
                                    args(
                                            s.tensor(2, 5, 7),
                                            of(3, 2),
                                            of(2),
                                            of(1),
                                            true,
                                            true,
                                            null),
                                    args(
                                            s.tensor(2, 5, 7),
                                            of(3, 2),
                                            of(2),
                                            of(1),
                                            true,
                                            false,
                                            null),
                                    args(s.tensor(1, 1, 5, 6), of(2), of(1), of(1), false, true, 3),
                                    args(
                                            turned(s, 2, 5, 4),
                                            of(3),
                                            of(2),
                                            of(0),
                                            true,
                                            false,
                                            -2)));

    static final OperatorRow ADAPTIVE_AVG_POOL2D =
            differentiable(
                            "aten::adaptive_avg_pool2d(Tensor self, int[] output_size)",
                            "AdaptiveAvgPool2DBackward0")
                    .forward(a -> Pools.adaptiveAverage(a.tensor(0), a.integers(1)))
                    .gradient(Pools::adaptiveAverageGradient)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but received {-1, 2}",
                                            s.tensor(1, 4, 4),
                                            of(-1, 2)),
                                    refusal(
                                            "adaptive_avg_pool2d: Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got: [4, 4]",
                                            s.tensor(4, 4),
                                            of(2))))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 2, 5, 6), of(3, 4)),
                                    args(s.tensor(2, 5, 7), of(2)),
                                    args(s.tensor(1, 2, 2, 3), of(4, 1)),
                                    args(s.tensor(2, 3, 4), of(1))));

    static final List<OperatorRow> ALL =
            List.of(MAX_POOL2D, MAX_POOL2D_WITH_INDICES, AVG_POOL2D, ADAPTIVE_AVG_POOL2D);

    private PoolingRows() {}

    private static int[] of(int... numbers) {
        return numbers;
    }

    /** Return images whose columns lie one after the other. */
    private static Tensor turned(Sampler s, int channels, int height, int width) {
        return s.constant(channels, width, height).permuted(0, 2, 1).requiresGrad(true);
    }
}
