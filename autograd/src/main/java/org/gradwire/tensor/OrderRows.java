package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.differentiable;
import static org.gradwire.tensor.OperatorRow.plain;
import static org.gradwire.tensor.Refusal.outside;
import static org.gradwire.tensor.Refusal.refusal;
import static org.gradwire.tensor.Sampler.args;
import static org.gradwire.tensor.Sampler.samples;

import org.gradwire.tensor.OperatorRow.Samples;
import org.gradwire.tensor.Saved.Keep;

import java.util.List;

/** Operators that put elements in order, and running products. */
final class OrderRows {
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

    static final OperatorRow SORT =
            differentiable(
                            "aten::sort(Tensor self, int dim, boolean descending) -> List",
                            "SortBackward0")
                    .forward(a -> Orders.sort(a.tensor(0), a.integer(1), a.flag(2)))
                    .keep(Keep.output(false, 1))
                    .gradients((s, gs) -> Orders.placed(s, gs[0], true))
                    .refuses(Refusals.DIMENSION_OR_KEPT)
                    .samples(SORTED);

    static final OperatorRow ARGSORT =
            plain("aten::argsort(Tensor self, int dim, boolean descending)")
                    .forward(a -> Orders.argsort(a.tensor(0), a.integer(1), a.flag(2)))
                    .refuses(Refusals.DIMENSION_OR_KEPT)
                    .samples(SORTED);

    static final OperatorRow TOPK =
            differentiable(
                            "aten::topk(Tensor self, int k, int dim, boolean largest, boolean sorted) -> List",
                            "TopkBackward0")
                    .forward(a -> Orders.topk(a.tensor(0), a.integer(1), a.integer(2), a.flag(3)))
                    .keep(Keep.output(false, 1))
                    .gradients((s, gs) -> Orders.placed(s, gs[0], true))
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
                                            Refusals.range(-2, 1, 2),
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

    static final OperatorRow KTHVALUE =
            differentiable(
                            "aten::kthvalue(Tensor self, int k, int dim, boolean keepdim) -> List",
                            "KthvalueBackward0")
                    .forward(a ->
                            Orders.kthvalue(a.tensor(0), a.integer(1), a.integer(2), a.flag(3)))
                    .keep(Keep.output(false, 1))
                    .gradients((s, gs) -> Orders.placed(s, gs[0], s.args().flag(3)))
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

    static final OperatorRow MEDIAN =
            differentiable(
                            "aten::median.dim(Tensor self, int dim, boolean keepdim) -> List",
                            "MedianBackward1")
                    .forward(a -> Orders.median(a.tensor(0), a.integer(1), a.flag(2)))
                    .keep(Keep.output(false, 1))
                    .gradients((s, gs) -> Orders.placed(s, gs[0], s.args().flag(2)))
                    .refuses(Refusals.DIMENSION_OR_KEPT)
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

    static final OperatorRow CUMPROD =
            differentiable("aten::cumprod(Tensor self, int dim)", "CumprodBackward0")
                    .forward(a -> Orders.runningProduct(a.tensor(0), a.integer(1)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            Orders.runningProductGradient(g, s.input(0), s.args().integer(1)))
                    .refuses(Refusals.DIMENSION)
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

    static final OperatorRow UNIQUE =
            plain(
                            "aten::_unique2(Tensor self, boolean sorted, boolean return_inverse, boolean return_counts) -> List")
                    .forward(a -> Orders.unique(a.tensor(0), a.flag(2), a.flag(3)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            Refusals.type("_unique2", "Tensor", "self"),
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

    static final List<OperatorRow> ALL =
            List.of(SORT, ARGSORT, TOPK, KTHVALUE, MEDIAN, CUMPROD, UNIQUE);

    private OrderRows() {}
}
