package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.OperatorRow.plain;
import static org.gradwire.tensor.operator.sample.ErrorSample.outside;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.OperatorRow.Samples;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.JavaName;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.ReturnsPair;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.operator.sample.ErrorSamples;
import org.gradwire.tensor.rule.CumulativeProducts;
import org.gradwire.tensor.rule.SortRules;

import java.util.List;

/** Sorting, selection of order statistics, and cumulative products. */
@OperatorFamily
public final class SortRows {
    private static final Samples SORTED =
            s ->
                    samples(
                            args(s.tensor(2, 5), 1, false),
                            args(s.tensor(4, 3), 0, true),
                            args(s.tensor(2, 40, 2), -2, false),
                            args(s.transposed(3, 20), 1, true),
                            args(s.longs(3, 4), 1, false),
                            args(s.bools(7), 0, true),
                            args(Tensor.of(1, Double.NaN, -0.0, 0.0, -1), 0, true),
                            args(s.tensor(), 0, false),
                            args(s.tensor(0, 3), 1, false));

    /**
     * Sort along a dimension; returns values and int64 indices. NaN counts as the largest; equal
     * elements keep their order.
     */
    @ReturnsPair
    @TensorMethod
    @TensorMethod({"dim = -1", "descending = false"})
    public static final OperatorRow SORT =
            differentiable(
                            "aten::sort(Tensor self, int dim, boolean descending) -> List",
                            "SortBackward0")
                    .forward(a -> SortRules.sort(a.tensor(0), a.integer(1), a.flag(2)))
                    .keep(Keep.output(false, 1))
                    .gradients((s, gs) -> SortRules.placed(s, gs[0], true))
                    .refuses(ErrorSamples.DIMENSION_OR_KEPT)
                    .samples(SORTED);

    /** Return the indices that sort along a dimension. */
    @TensorMethod
    public static final OperatorRow ARGSORT =
            plain("aten::argsort(Tensor self, int dim, boolean descending)")
                    .forward(a -> SortRules.argsort(a.tensor(0), a.integer(1), a.flag(2)))
                    .refuses(ErrorSamples.DIMENSION_OR_KEPT)
                    .samples(SORTED);

    /**
     * Return the {@code k} largest or smallest elements along a dimension, and their indices.
     *
     * @param sorted ignored: they are in order always
     */
    @ReturnsPair
    @TensorMethod("sorted = true")
    @TensorMethod({"dim = -1", "largest = true", "sorted = true"})
    public static final OperatorRow TOPK =
            differentiable(
                            "aten::topk(Tensor self, int k, int dim, boolean largest, boolean sorted) -> List",
                            "TopkBackward0")
                    .forward(
                            a -> SortRules.topk(a.tensor(0), a.integer(1), a.integer(2), a.flag(3)))
                    .keep(Keep.output(false, 1))
                    .gradients((s, gs) -> SortRules.placed(s, gs[0], true))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "topk(): selected index k out of range: k is 4, dimension 1 has size 3",
                                            s.tensor(2, 3),
                                            4,
                                            1,
                                            true,
                                            true),
                                    outside(
                                            ErrorSamples.range(-2, 1, 2),
                                            s.tensor(2, 3),
                                            1,
                                            2,
                                            true,
                                            true)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 5), 2, 1, true, true),
                                    args(s.tensor(4, 3), 3, 0, false, true),
                                    args(s.tensor(2, 20, 2), 4, -2, true, true),
                                    args(s.transposed(3, 4), 1, 1, true, true),
                                    args(s.tensor(3), 0, 0, true, true),
                                    args(s.tensor(), 1, 0, true, true)));

    /** Pick the {@code k}-th smallest elements along a dimension, counted from 1. */
    @ReturnsPair @TensorMethod
    public static final OperatorRow KTHVALUE =
            differentiable(
                            "aten::kthvalue(Tensor self, int k, int dim, boolean keepdim) -> List",
                            "KthvalueBackward0")
                    .forward(a ->
                            SortRules.kthvalue(a.tensor(0), a.integer(1), a.integer(2), a.flag(3)))
                    .keep(Keep.output(false, 1))
                    .gradients((s, gs) -> SortRules.placed(s, gs[0], s.args().flag(3)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "kthvalue(): selected number k out of range for dimension 1: k is 0, expected 1 to 3",
                                            s.tensor(2, 3),
                                            0,
                                            1,
                                            false)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 5), 2, 1, false),
                                    args(s.tensor(4, 3), 4, 0, true),
                                    args(s.transposed(3, 4), 1, -1, false),
                                    args(s.tensor(), 1, 0, false)));

    /** Pick the median along a dimension: of an even number the lower one of the middle. */
    @ReturnsPair @TensorMethod
    public static final OperatorRow MEDIAN =
            differentiable(
                            "aten::median.dim(Tensor self, int dim, boolean keepdim) -> List",
                            "MedianBackward1")
                    .forward(a -> SortRules.median(a.tensor(0), a.integer(1), a.flag(2)))
                    .keep(Keep.output(false, 1))
                    .gradients((s, gs) -> SortRules.placed(s, gs[0], s.args().flag(2)))
                    .refuses(ErrorSamples.DIMENSION_OR_KEPT)
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "median(): Expected reduction dim 0 to have non-zero size; the shape is [0, 3]",
                                            s.tensor(0, 3),
                                            0,
                                            false)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 5), 1, false),
                                    args(s.tensor(4, 3), 0, true),
                                    args(
                                            Tensor.of(
                                                    new double[][] {{1, Double.NaN, 0}, {3, 2, 5}}),
                                            1,
                                            false),
                                    args(s.tensor(), 0, false)));

    /** Compute the cumulative product along a dimension. */
    @TensorMethod
    public static final OperatorRow CUMPROD =
            differentiable("aten::cumprod(Tensor self, int dim)", "CumprodBackward0")
                    .forward(a -> CumulativeProducts.runningProduct(a.tensor(0), a.integer(1)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            CumulativeProducts.runningProductGradient(
                                    g, s.input(0), s.args().integer(1)))
                    .refuses(ErrorSamples.DIMENSION)
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 5), 1),
                                    args(s.tensor(4, 3), 0),
                                    args(s.transposed(3, 4), -1),
                                    args(Tensor.of(2.0, 0, 3, 0, 1, -1).requiresGrad(true), 0),
                                    args(s.longs(3, 4), 1),
                                    args(s.bools(4), 0),
                                    args(s.tensor(), 0),
                                    args(s.tensor(0, 2), 0)));

    /**
     * Return the unique elements, in order, as a vector; the inverse indices, of the shape of
     * {@code self}; and the counts. Each NaN is unique.
     *
     * @param sorted ignored: they are in order always
     * @param returnInverse whether to return the inverse indices; if not, they are an empty tensor
     * @param returnCounts whether to count; if not, the counts are an empty tensor
     */
    @JavaName("unique")
    public static final OperatorRow UNIQUE =
            plain(
                            "aten::_unique2(Tensor self, boolean sorted, boolean return_inverse, boolean return_counts) -> List")
                    .forward(a -> SortRules.unique(a.tensor(0), a.flag(2), a.flag(3)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            ErrorSamples.type("_unique2", "Tensor", "self"),
                                            "x",
                                            true,
                                            true,
                                            true)))
                    .samples(s ->
                            samples(
                                    args(s.longs(3, 4), true, true, true),
                                    args(s.ints(9), true, false, false),
                                    args(s.bools(5), true, true, true),
                                    args(Tensor.of(2.5, -1, 2.5, 0, -0.0), true, true, true),
                                    args(s.constant(0, 2), true, true, true)));

    private SortRows() {}
}
