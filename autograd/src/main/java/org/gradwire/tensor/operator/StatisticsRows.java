package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.outside;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.operator.OperatorRow.Samples;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.operator.sample.ErrorSamples;
import org.gradwire.tensor.operator.sample.Sampler;
import org.gradwire.tensor.rule.Statistics;

import java.util.List;

/** Variances, norms, products, cumulative sums and {@code logsumexp}. */
@OperatorFamily
public final class StatisticsRows {
    private static final String NO_NORM =
            "norm(): input dtype should be either floating point or complex. Got Long instead; convert it with to(dtype)";
    private static final String NO_FRACTIONS =
            "std and var only support floating point dtypes. Got: int64; convert it with to(dtype)";
    private static final int[] ALL_DIMENSIONS = {};
    private static final Samples SPREAD =
            s ->
                    samples(
                            args(s.tensor(2, 3), true),
                            args(s.transposed(3, 4), false),
                            args(s.tensor(5), true));
    private static final Samples SPREAD_OVER_DIMENSIONS =
            s ->
                    samples(
                            args(s.tensor(2, 3), new int[] {0}, 1, false),
                            args(s.tensor(2, 3), new int[] {-1}, 0, true),
                            args(s.tensor(2, 3, 4), new int[] {0, 2}, 2, false),
                            args(s.transposed(3, 4), new int[] {1}, 1, false),
                            args(s.tensor(2, 3), new int[] {}, 1, false));
    private static final Samples OVER_DIMENSIONS =
            s ->
                    samples(
                            args(s.tensor(2, 3), new int[] {0}, false),
                            args(s.tensor(2, 3, 4), new int[] {0, -1}, true),
                            args(s.transposed(3, 4), new int[] {1}, false),
                            args(s.tensor(), new int[] {0}, false));
    private static final Samples ALONG_DIMENSION =
            s ->
                    samples(
                            args(s.tensor(2, 3), 0, false),
                            args(s.tensor(2, 3, 4), -2, true),
                            args(withZeros(s, 0), 1, false),
                            args(s.transposed(3, 4), 1, false));

    /**
     * Compute the variance of all elements.
     *
     * @param unbiased whether to divide by one less than their number
     */
    @TensorMethod
    @TensorMethod("unbiased = true")
    public static final OperatorRow VAR =
            differentiable("aten::var(Tensor self, boolean unbiased)", "VarBackward0")
                    .forward(a ->
                            Statistics.variance(
                                    a.tensor(0), ALL_DIMENSIONS, correction(a, 1), false))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            Statistics.varianceGradient(
                                    g, s.input(0), ALL_DIMENSIONS, correction(s.args(), 1)))
                    .refuses(s -> List.of(refusal(NO_FRACTIONS, s.longs(2, 3), true)))
                    .refusesSparse()
                    .samples(SPREAD);

    /**
     * Compute the variance over dimensions; no dimensions mean all. They stay, with extent 1, if
     * {@code keepdim}.
     *
     * @param correction by how much the divisor is less than the number of elements: 1 for the
     *     unbiased estimate
     */
    @TensorMethod
    @TensorMethod({"correction = 1", "keepdim = false"})
    public static final OperatorRow VAR_DIMS =
            differentiable(
                            "aten::var.correction(Tensor self, int[] dim, int correction, boolean keepdim)",
                            "VarBackward0")
                    .forward(a ->
                            Statistics.variance(
                                    a.tensor(0), a.integers(1), a.integer(2), a.flag(3)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            Statistics.varianceGradient(
                                    g, s.input(0), s.args().integers(1), s.args().integer(2)))
                    .refuses(s ->
                            List.of(
                                    refusal(NO_FRACTIONS, s.longs(2, 3), new int[] {0}, 1, false),
                                    outside(
                                            ErrorSamples.range(-2, 1, 2),
                                            s.tensor(2, 3),
                                            new int[] {2},
                                            1,
                                            false)))
                    .samples(SPREAD_OVER_DIMENSIONS);

    /**
     * Compute the standard deviation of all elements.
     *
     * @param unbiased whether to divide by one less than their number
     */
    @TensorMethod
    @TensorMethod("unbiased = true")
    public static final OperatorRow STD =
            differentiable("aten::std(Tensor self, boolean unbiased)", "StdBackward0")
                    .forward(a ->
                            Statistics.deviation(
                                    a.tensor(0), ALL_DIMENSIONS, correction(a, 1), false))
                    .keep(Keep.INPUTS_AND_OUTPUT)
                    .gradient((s, g) ->
                            Statistics.deviationGradient(
                                    g,
                                    s.input(0),
                                    s.output(),
                                    ALL_DIMENSIONS,
                                    correction(s.args(), 1)))
                    .refuses(s -> List.of(refusal(NO_FRACTIONS, s.longs(2, 3), true)))
                    .refusesSparse()
                    .samples(SPREAD);

    /**
     * Compute the standard deviation over dimensions; no dimensions mean all. They stay, with
     * extent 1, if {@code keepdim}.
     *
     * @param correction by how much the divisor is less than the number of elements: 1 for the
     *     unbiased estimate
     */
    @TensorMethod
    @TensorMethod({"correction = 1", "keepdim = false"})
    public static final OperatorRow STD_DIMS =
            differentiable(
                            "aten::std.correction(Tensor self, int[] dim, int correction, boolean keepdim)",
                            "StdBackward0")
                    .forward(a ->
                            Statistics.deviation(
                                    a.tensor(0), a.integers(1), a.integer(2), a.flag(3)))
                    .keep(Keep.INPUTS_AND_OUTPUT)
                    .gradient((s, g) ->
                            Statistics.deviationGradient(
                                    g,
                                    s.input(0),
                                    s.output(),
                                    s.args().integers(1),
                                    s.args().integer(2)))
                    .refuses(s ->
                            List.of(
                                    refusal(NO_FRACTIONS, s.longs(2, 3), new int[] {0}, 1, false),
                                    outside(
                                            ErrorSamples.range(-2, 1, -3),
                                            s.tensor(2, 3),
                                            new int[] {-3},
                                            1,
                                            false)))
                    .samples(SPREAD_OVER_DIMENSIONS);

    /**
     * Compute the p-norm of all elements: {@code sum(abs(x)^p)^(1/p)}; the number of those that are
     * not zero for 0, the largest absolute value for infinity, the smallest for minus infinity.
     */
    @TensorMethod
    @TensorMethod("p = 2")
    public static final OperatorRow NORM =
            differentiable("aten::norm.Scalar(Tensor self, Scalar p)", "NormBackward0")
                    .forward(a -> Statistics.norm(a.tensor(0), power(a), ALL_DIMENSIONS, false))
                    .keep(Keep.INPUTS_AND_OUTPUT)
                    .gradient((s, g) ->
                            Statistics.normGradient(
                                    g, s.input(0), s.output(), power(s.args()), ALL_DIMENSIONS))
                    .refuses(s -> List.of(refusal(NO_NORM, s.longs(2, 3), 2)))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), 2),
                                    args(s.tensor(2, 3), 1),
                                    args(s.tensor(2, 3), 0.5),
                                    args(s.transposed(3, 4), 1.5),
                                    args(s.tensor(2, 3), 3),
                                    args(s.positive(2, 3), -1),
                                    args(s.tensor(2, 3), Double.POSITIVE_INFINITY),
                                    args(s.tensor(2, 3), Double.NEGATIVE_INFINITY)));

    /**
     * Compute the p-norm over dimensions, as {@link Ops#norm(Tensor, Number)}; no dimensions mean
     * all. They stay, with extent 1, if {@code keepdim}.
     */
    @TensorMethod
    public static final OperatorRow NORM_DIMS =
            differentiable(
                            "aten::norm.ScalarOpt_dim(Tensor self, Scalar p, int[] dim, boolean keepdim)",
                            "NormBackward1")
                    .forward(a -> Statistics.norm(a.tensor(0), power(a), a.integers(2), a.flag(3)))
                    .keep(Keep.INPUTS_AND_OUTPUT)
                    .gradient((s, g) ->
                            Statistics.normGradient(
                                    g,
                                    s.input(0),
                                    s.output(),
                                    power(s.args()),
                                    s.args().integers(2)))
                    .refuses(s ->
                            List.of(
                                    refusal(NO_NORM, s.longs(2, 3), 2, new int[] {0}, false),
                                    refusal(
                                            "dim 0 appears multiple times in the list of dims",
                                            s.tensor(2, 3),
                                            2,
                                            new int[] {0, -2},
                                            false)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), 2, new int[] {0}, false),
                                    args(s.tensor(2, 3, 4), 3, new int[] {0, -1}, true),
                                    args(s.transposed(3, 4), 1, new int[] {1}, false),
                                    args(
                                            s.tensor(2, 3),
                                            Double.POSITIVE_INFINITY,
                                            new int[] {1},
                                            false)));

    /** Multiply all elements; integers give int64. */
    @TensorMethod
    public static final OperatorRow PROD =
            differentiable("aten::prod(Tensor self)", "ProdBackward0")
                    .forward(a -> Statistics.product(a.tensor(0), ALL_DIMENSIONS, false))
                    .keep(Keep.INPUTS_AND_OUTPUT)
                    .gradient((s, g) ->
                            Statistics.productGradient(g, s.input(0), s.output(), ALL_DIMENSIONS))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3)),
                                    args(s.tensor()),
                                    args(withZeros(s, 0)),
                                    args(withZeros(s, 0, 4)),
                                    args(s.transposed(3, 4))));

    /** Multiply along a dimension, which stays with extent 1 if {@code keepdim}. */
    @TensorMethod
    @TensorMethod("keepdim = false")
    public static final OperatorRow PROD_DIM =
            differentiable(
                            "aten::prod.dim_int(Tensor self, int dim, boolean keepdim)",
                            "ProdBackward1")
                    .forward(a ->
                            Statistics.product(a.tensor(0), new int[] {a.integer(1)}, a.flag(2)))
                    .keep(Keep.INPUTS_AND_OUTPUT)
                    .gradient((s, g) ->
                            Statistics.productGradient(
                                    g, s.input(0), s.output(), new int[] {s.args().integer(1)}))
                    .refuses(ErrorSamples.DIMENSION_OR_KEPT)
                    .samples(ALONG_DIMENSION);

    /** Compute the running sums along a dimension; integers give int64. */
    @TensorMethod
    public static final OperatorRow CUMSUM =
            differentiable("aten::cumsum(Tensor self, int dim)", "CumsumBackward0")
                    .forward(a -> Statistics.runningSum(a.tensor(0), a.integer(1), false))
                    .gradient((s, g) -> Statistics.runningSum(g, s.args().integer(1), true))
                    .refuses(ErrorSamples.DIMENSION)
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), 0),
                                    args(s.tensor(2, 3), -1),
                                    args(s.tensor(2, 3, 20), 1),
                                    args(s.transposed(3, 4), 0),
                                    args(s.tensor(), 0),
                                    args(s.tensor(0, 2), 0)));

    /**
     * Compute {@code log(sum(exp(x)))} over dimensions, without overflow; no dimensions mean all.
     * They stay, with extent 1, if {@code keepdim}.
     */
    @TensorMethod
    @TensorMethod("keepdim = false")
    public static final OperatorRow LOGSUMEXP =
            differentiable(
                            "aten::logsumexp(Tensor self, int[] dim, boolean keepdim)",
                            "LogsumexpBackward0")
                    .forward(a -> Statistics.logSumExp(a.tensor(0), a.integers(1), a.flag(2)))
                    .keep(Keep.INPUTS_AND_OUTPUT)
                    .gradient((s, g) -> {
                        int[] dim = s.args().integers(1);
                        Tensor x = s.input(0);
                        Tensor whole = Statistics.restored(s.output(), TensorAccess.dims(x), dim);
                        return Statistics.restored(g, TensorAccess.dims(x), dim)
                                .mul(x.sub(whole).exp());
                    })
                    .refuses(ErrorSamples.DIMENSIONS_OR_KEPT)
                    .samples(OVER_DIMENSIONS);

    private StatisticsRows() {}

    private static int correction(Args args, int index) {
        return args.flag(index) ? 1 : 0;
    }

    private static double power(Args args) {
        return args.number(1).doubleValue();
    }

    /** {@return a sample of two rows of three, some of them zero} */
    private static Tensor withZeros(Sampler sampler, int... zeros) {
        double[] numbers = sampler.tensor(2, 3).toDoubleArray();
        for (int index : zeros) {
            numbers[index] = 0;
        }
        return Tensor.of(numbers, 2, 3).requiresGrad(true);
    }
}
