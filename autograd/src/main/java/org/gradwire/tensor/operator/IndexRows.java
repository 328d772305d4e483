package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.outside;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.kernel.GatherScatter;
import org.gradwire.tensor.operator.OperatorRow.InputGradient;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.rule.GatherScatterRules;

import java.util.List;

/** Gather, scatter and index operators; gradients of repeated indices are summed. */
@OperatorFamily
public final class IndexRows {
    private static final InputGradient NONE =
            (_, _) -> {
                throw new AssertionError("an index has no gradient");
            };

    /** Copy the slices of a dimension that a vector of int64 names. */
    @TensorMethod
    public static final OperatorRow INDEX_SELECT =
            differentiable(
                            "aten::index_select(Tensor self, int dim, Tensor index)",
                            "IndexSelectBackward0")
                    .forward(a -> GatherScatterRules.select(a.tensor(0), a.integer(1), a.tensor(2)))
                    .keep(Keep.inputs(1))
                    .gradient(GatherScatterRules::selectGradient)
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "index out of range in self: index 3 is out of bounds for dimension 0 with size 3",
                                            s.tensor(3, 2),
                                            0,
                                            Tensor.of(0, 3)),
                                    refusal(
                                            "index_select(): Index is supposed to be a vector, got int64[1, 1]",
                                            s.tensor(3, 2),
                                            0,
                                            Tensor.zeros(DType.INT64, 1, 1)),
                                    refusal(
                                            "index_select(): Expected dtype int64 for index, got float64[1]",
                                            s.tensor(3, 2),
                                            0,
                                            s.tensor(1)),
                                    refusal(
                                            "index_select(): Index to scalar can have only 1 value, got 2 value(s)",
                                            s.tensor(),
                                            0,
                                            Tensor.of(0, 0))))
                    .samples(s ->
                            samples(
                                    args(s.tensor(4, 3), 0, Tensor.of(2, 0, 2)),
                                    args(s.transposed(2, 3), -1, Tensor.of(1, 1)),
                                    args(s.tensor(3, 2, 5), 0, Tensor.of(2, 2, 1, 0)),
                                    args(s.tensor(2, 3, 2, 4), 1, Tensor.of(2, 0, 2)),
                                    args(s.tensor(2, 3), 1, Tensor.scalar(1)),
                                    args(s.tensor(), 0, Tensor.of(0)),
                                    args(s.tensor(3), 0, Tensor.zeros(DType.INT64, 0))));

    /**
     * Gather elements by index: {@code out[i][j] = self[index[i][j]][j]} for {@code dim} 0.
     *
     * @param index int64, of the shape of the result
     */
    @TensorMethod
    public static final OperatorRow GATHER =
            differentiable("aten::gather(Tensor self, int dim, Tensor index)", "GatherBackward0")
                    .forward(a -> GatherScatterRules.gather(a.tensor(0), a.integer(1), a.tensor(2)))
                    .keep(Keep.inputs(1))
                    .gradient(GatherScatterRules::gatherGradient)
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "index 5 is out of bounds for dimension 0 with size 3",
                                            s.tensor(3, 2),
                                            0,
                                            index(new long[][] {{5}})),
                                    refusal(
                                            "gather(): Expected dtype int64 for index, got float64[1, 1]",
                                            s.tensor(3, 2),
                                            0,
                                            s.tensor(1, 1)),
                                    refusal(
                                            "Index tensor must have the same number of dimensions as input tensor: int64[1], float64[3, 2]",
                                            s.tensor(3, 2),
                                            0,
                                            Tensor.of(1)),
                                    refusal(
                                            "Size does not match at dimension 1 expected index [1, 5] to be smaller than self [3, 2] apart from dimension 0",
                                            s.tensor(3, 2),
                                            0,
                                            Tensor.zeros(DType.INT64, 1, 5))))
                    .samples(s ->
                            samples(
                                    args(s.tensor(3, 4), 1, index(new long[][] {{0, 0}, {3, 1}})),
                                    args(s.transposed(3, 4), 0, index(new long[][] {{2, 1, 2}})),
                                    args(s.tensor(2, 2, 3), -1, Tensor.full(2, 2, 1, 4)),
                                    args(s.tensor(3), 0, Tensor.scalar(1)),
                                    args(s.tensor(), 0, Tensor.of(0, 0))));

    /**
     * Copy with elements at indices replaced: {@code out[index[i][j]][j] = src[i][j]} for {@code
     * dim} 0. Where the index names an element twice, the last one stays.
     *
     * @param index int64, of at most the shape of {@code src}
     */
    @TensorMethod
    public static final OperatorRow SCATTER =
            differentiable(
                            "aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src)",
                            "ScatterBackward0")
                    .forward(a ->
                            GatherScatterRules.scatter(
                                    GatherScatter.PUT,
                                    a.tensor(0),
                                    a.integer(1),
                                    a.tensor(2),
                                    a.tensor(3)))
                    .keep(Keep.inputs(1))
                    .gradient(
                            (s, g) ->
                                    GatherScatterRules.scatter(
                                            g, s.args().integer(1), s.input(1), 0),
                            NONE,
                            GatherScatterRules::sourceGradient)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "scatter(): Expected self.dtype to be equal to src.dtype, got float64[3, 2] and int64[1, 1]",
                                            s.tensor(3, 2),
                                            0,
                                            index(new long[][] {{0}}),
                                            s.longs(1, 1)),
                                    refusal(
                                            "Index tensor must have the same number of dimensions as self and src tensor: int64[1], float64[3, 2], float64[1]",
                                            s.tensor(3, 2),
                                            0,
                                            Tensor.of(0),
                                            s.tensor(1))))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(3, 4),
                                            1,
                                            index(new long[][] {{0, 2}, {3, 1}}),
                                            s.tensor(2, 2)),
                                    args(
                                            s.transposed(3, 2),
                                            0,
                                            index(new long[][] {{2, 1}}),
                                            s.transposed(1, 2)),
                                    args(s.tensor(), 0, Tensor.scalar(0), s.tensor())));

    /** As {@link Ops#scatter(Tensor, int, Tensor, Tensor)}, with one number everywhere. */
    @TensorMethod
    public static final OperatorRow SCATTER_NUMBER =
            differentiable(
                            "aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value)",
                            "ScatterBackward1")
                    .forward(a ->
                            GatherScatterRules.scatter(
                                    a.tensor(0), a.integer(1), a.tensor(2), a.number(3)))
                    .keep(Keep.inputs(1))
                    .gradient((s, g) ->
                            GatherScatterRules.scatter(g, s.args().integer(1), s.input(1), 0))
                    .refuses(s ->
                            List.of(
                                    outside(
                                            "index -1 is out of bounds for dimension 1 with size 2",
                                            s.tensor(3, 2),
                                            1,
                                            index(new long[][] {{-1}}),
                                            1),
                                    refusal(
                                            "value cannot be converted to type int32 without overflow: 1099511627776",
                                            s.ints(3),
                                            0,
                                            Tensor.of(0),
                                            1L << 40)))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(3, 4),
                                            1,
                                            index(new long[][] {{0, 0}, {3, 1}}),
                                            2.5),
                                    args(s.tensor(3), -1, Tensor.of(2), 7)));

    /**
     * Copy with values added at indices: {@code out[index[i][j]][j] += src[i][j]} for {@code dim}
     * 0.
     */
    @TensorMethod
    public static final OperatorRow SCATTER_ADD =
            differentiable(
                            "aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src)",
                            "ScatterAddBackward0")
                    .forward(a ->
                            GatherScatterRules.scatter(
                                    GatherScatter.ADD,
                                    a.tensor(0),
                                    a.integer(1),
                                    a.tensor(2),
                                    a.tensor(3)))
                    .keep(Keep.inputs(1))
                    .gradient((_, g) -> g, NONE, GatherScatterRules::sourceGradient)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Expected index [4, 2] to be smaller than self [3, 2] apart from dimension 0 and to be smaller size than src [3, 2]",
                                            s.tensor(3, 2),
                                            0,
                                            Tensor.zeros(DType.INT64, 4, 2),
                                            s.tensor(3, 2)),
                                    outside(
                                            "index 3 is out of bounds for dimension 0 with size 3",
                                            s.tensor(3, 2),
                                            0,
                                            index(new long[][] {{3}}),
                                            s.tensor(1, 1))))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(3, 4),
                                            1,
                                            index(new long[][] {{0, 0}, {3, 1}}),
                                            s.tensor(2, 2)),
                                    args(
                                            s.transposed(3, 2),
                                            0,
                                            index(new long[][] {{2, 1}, {2, 2}}),
                                            s.transposed(2, 2)),
                                    args(
                                            s.tensor(2, 2),
                                            0,
                                            Tensor.zeros(DType.INT64, 0, 2),
                                            s.tensor(0, 2))));

    /**
     * Copy with slices added to those that a vector of int64 names: {@code out[index[i]] += alpha *
     * source[i]} for {@code dim} 0.
     */
    @TensorMethod
    @TensorMethod("alpha = 1")
    public static final OperatorRow INDEX_ADD =
            differentiable(
                            "aten::index_add(Tensor self, int dim, Tensor index, Tensor source, Scalar alpha)",
                            "IndexAddBackward0")
                    .forward(a ->
                            GatherScatterRules.addRows(
                                    a.tensor(0),
                                    a.integer(1),
                                    a.tensor(2),
                                    a.tensor(3),
                                    a.number(4)))
                    .keep(Keep.inputs(1))
                    .gradient((_, g) -> g, NONE, GatherScatterRules::rowGradient)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "index_add(): Number of indices (1) should be equal to source.size(dim): (3), for dim: 0",
                                            s.tensor(3, 2),
                                            0,
                                            Tensor.of(0),
                                            s.tensor(3, 2),
                                            1),
                                    refusal(
                                            "Source shape must match self shape, excluding the specified dimension 0. Got self.shape = [3, 2] source.shape = [1, 3]",
                                            s.tensor(3, 2),
                                            0,
                                            Tensor.of(0),
                                            s.tensor(1, 3),
                                            1),
                                    refusal(
                                            "For integral input tensors, argument alpha must not be a floating point number: 0.5 for int64[2]",
                                            s.longs(2),
                                            0,
                                            Tensor.of(0),
                                            s.longs(1),
                                            0.5),
                                    outside(
                                            "index out of range in self: index -1 is out of bounds for dimension 0 with size 3",
                                            s.tensor(3, 2),
                                            0,
                                            Tensor.of(-1),
                                            s.tensor(1, 2),
                                            1)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(3, 2), 0, Tensor.of(2, 0, 2), s.tensor(3, 2), 1),
                                    args(
                                            s.tensor(2, 3, 9),
                                            1,
                                            Tensor.of(2, 2),
                                            s.tensor(2, 2, 9),
                                            0.5),
                                    args(
                                            s.transposed(2, 3),
                                            -1,
                                            Tensor.of(1),
                                            s.transposed(2, 1),
                                            -2),
                                    args(s.tensor(), 0, Tensor.of(0), s.tensor(), 3)));

    private static Tensor index(long[][] rows) {
        return Tensor.of(rows);
    }

    private IndexRows() {}
}
