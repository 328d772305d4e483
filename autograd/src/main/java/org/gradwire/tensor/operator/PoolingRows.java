package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.composite;
import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.OperatorRow.Samples;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.operator.sample.ErrorSample;
import org.gradwire.tensor.operator.sample.Sampler;
import org.gradwire.tensor.rule.AdaptiveMaxPoolRules;
import org.gradwire.tensor.rule.Pooling1dRules;
import org.gradwire.tensor.rule.PoolingRules;

import java.util.List;

/** Pooling operators. */
@OperatorFamily
public final class PoolingRows {
    private static final Samples MAXIMUM =
            s ->
                    samples(
                            args(s.tensor(2, 2, 4, 6), of(2), of(), of(0), of(1), false),
                            args(s.tensor(2, 5, 7), of(3, 2), of(2, 1), of(1, 0), of(1), false),
                            args(s.tensor(1, 1, 5, 6), of(2), of(2), of(1), of(2, 1), true),
                            args(turned(s, 2, 5, 4), of(3), of(1), of(1), of(1), true));

    private static final ErrorSample.Samples MAXIMUM_REFUSED =
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
                                    "pad should be at most half of kernel size, and not negative, but got pad=2 and kernelSize=2",
                                    s.tensor(3, 4, 4),
                                    of(2),
                                    of(),
                                    of(2),
                                    of(1),
                                    false),
                            refusal(
                                    "max_pool2d: kernelSize must be one or two integers; got []",
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

    /**
     * Max-pool images {@code [n, c, h, w]} or {@code [c, h, w]}. Kernel, stride, padding and
     * dilation are one number for both directions, or two.
     *
     * @param stride empty for that of the kernel
     * @param ceilMode whether the last window may exceed the image
     */
    @TensorMethod({"stride = []", "padding = [0]", "dilation = [1]", "ceilMode = false"})
    public static final OperatorRow MAX_POOL2D =
            differentiable(
                            "aten::max_pool2d(Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] dilation, boolean ceil_mode)",
                            "MaxPool2DWithIndicesBackward0")
                    .forward(PoolingRules::maximum)
                    .gradient(PoolingRules::maximumGradient)
                    .refuses(MAXIMUM_REFUSED)
                    .samples(MAXIMUM);

    /**
     * As {@link Ops#maxPool2d}, with the index of each maximum in its plane of {@code h * w}
     * elements, int64: the maxima, then the indices. An empty window, which dilation and ceil mode
     * allow, yields negative infinity and the index -1.
     */
    public static final OperatorRow MAX_POOL2D_WITH_INDICES =
            differentiable(
                            "aten::max_pool2d_with_indices(Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] dilation, boolean ceil_mode) -> List",
                            "MaxPool2DWithIndicesBackward0")
                    .forward(PoolingRules::maximumWithIndices)
                    .gradient(PoolingRules::maximumGradient)
                    .refuses(MAXIMUM_REFUSED)
                    .samples(MAXIMUM);

    /**
     * Average-pool images {@code [n, c, h, w]} or {@code [c, h, w]}.
     *
     * @param stride empty for that of the kernel
     * @param ceilMode whether the last window may exceed the image
     * @param countIncludePad whether padding counts, as zeros
     * @param divisorOverride divisor of the sums instead of the window size, or null
     */
    @TensorMethod({
        "stride = []",
        "padding = [0]",
        "ceilMode = false",
        "countIncludePad = true",
        "divisorOverride = null"
    })
    public static final OperatorRow AVG_POOL2D =
            differentiable(
                            "aten::avg_pool2d(Tensor self, int[] kernel_size, int[] stride, int[] padding, boolean ceil_mode, boolean count_include_pad, int? divisor_override)",
                            "AvgPool2DBackward0")
                    .forward(PoolingRules::average)
                    .gradient(PoolingRules::averageGradient)
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
                                            "avg_pool2d: kernelSize must be one or two integers; got [2, 2, 2]",
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

    /**
     * Adaptive average pooling: average images {@code [n, c, h, w]} or {@code [c, h, w]} over
     * windows of nearly equal size to {@code [n, c, oh, ow]} or {@code [c, oh, ow]}.
     *
     * @param outputSize {@code oh} and {@code ow}, or one number for both
     */
    @TensorMethod
    public static final OperatorRow ADAPTIVE_AVG_POOL2D =
            differentiable(
                            "aten::adaptive_avg_pool2d(Tensor self, int[] output_size)",
                            "AdaptiveAvgPool2DBackward0")
                    .forward(a -> PoolingRules.adaptiveAverage(a.tensor(0), a.integers(1)))
                    .gradient(PoolingRules::adaptiveAverageGradient)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "adaptive_avg_pool2d: elements of outputSize must be greater than or equal to 0 but received {-1, 2}",
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

    /** One-dimensional max pooling; as {@link Ops#maxPool2d}. */
    public static final OperatorRow MAX_POOL1D =
            composite(
                            "aten::max_pool1d(Tensor self, int[] kernel_size, int[] stride, int[] padding, int[] dilation, boolean ceil_mode)")
                    .forward(a -> Pooling1dRules.maxPool1d(a))
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

    /** One-dimensional average pooling; as {@link Ops#avgPool2d}. */
    public static final OperatorRow AVG_POOL1D =
            composite(
                            "aten::avg_pool1d(Tensor self, int[] kernel_size, int[] stride, int[] padding, boolean ceil_mode, boolean count_include_pad)")
                    .forward(a -> Pooling1dRules.avgPool1d(a))
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

    /**
     * One-dimensional adaptive average pooling of {@code [n, c, l]} or {@code [c, l]} to {@code [n,
     * c, ol]} or {@code [c, ol]}; as {@link Ops#adaptiveAvgPool2d}.
     *
     * @param outputSize one number, {@code ol}
     */
    public static final OperatorRow ADAPTIVE_AVG_POOL1D =
            composite("aten::adaptive_avg_pool1d(Tensor self, int[] output_size)")
                    .forward(a -> Pooling1dRules.adaptiveAvgPool1d(a))
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

    /**
     * Adaptive max pooling: the maxima of images {@code [n, c, h, w]} or {@code [c, h, w]} over
     * windows of nearly equal size, {@code [n, c, oh, ow]} or {@code [c, oh, ow]}.
     *
     * @param outputSize {@code oh} and {@code ow}, or one number for both; positive
     */
    public static final OperatorRow ADAPTIVE_MAX_POOL2D =
            composite("aten::adaptive_max_pool2d(Tensor self, int[] output_size)")
                    .forward(a -> AdaptiveMaxPoolRules.adaptiveMaxPool2d(a))
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

    private PoolingRows() {}

    private static int[] of(int... numbers) {
        return numbers;
    }

    /** Return images in column-major order. */
    private static Tensor turned(Sampler s, int channels, int height, int width) {
        return TensorAccess.permuted(s.constant(channels, width, height), 0, 2, 1)
                .requiresGrad(true);
    }
}
