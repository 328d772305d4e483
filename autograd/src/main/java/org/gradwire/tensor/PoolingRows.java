package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.differentiable;
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

    static final OperatorRow MAX_POOL2D =
            differentiable(
                            "aten::max_pool2d(Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] dilation, boolean ceil_mode)",
                            "MaxPool2DWithIndicesBackward0")
                    .forward(Pools::maximum)
                    .gradient(Pools::maximumGradient)
                    .samples(MAXIMUM);

    static final OperatorRow MAX_POOL2D_WITH_INDICES =
            differentiable(
                            "aten::max_pool2d_with_indices(Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] dilation, boolean ceil_mode) -> List",
                            "MaxPool2DWithIndicesBackward0")
                    .forward(Pools::maximumWithIndices)
                    .gradient(Pools::maximumGradient)
                    .samples(MAXIMUM);

    static final OperatorRow AVG_POOL2D =
            differentiable(
                            "aten::avg_pool2d(Tensor self, int[] kernel_size, int[] stride, int[] padding, boolean ceil_mode, boolean count_include_pad, int? divisor_override)",
                            "AvgPool2DBackward0")
                    .forward(Pools::average)
                    .gradient(Pools::averageGradient)
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
