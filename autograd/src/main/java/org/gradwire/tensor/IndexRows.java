package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.differentiable;
import static org.gradwire.tensor.Sampler.args;
import static org.gradwire.tensor.Sampler.samples;

import org.gradwire.tensor.OperatorRow.InputGradient;
import org.gradwire.tensor.Saved.Keep;
import org.gradwire.tensor.kernel.Indexed;

import java.util.List;

/** Operators that find elements by an index; what is named twice sums in the gradients. */
final class IndexRows {
    private static final InputGradient NONE =
            (_, _) -> {
                throw new AssertionError("an index has no gradient");
            };

    static final OperatorRow INDEX_SELECT =
            differentiable(
                            "aten::index_select(Tensor self, int dim, Tensor index)",
                            "IndexSelectBackward0")
                    .forward(a -> Indexing.select(a.tensor(0), a.integer(1), a.tensor(2)))
                    .keep(Keep.inputs(1))
                    .gradient((s, g) ->
                            Indexing.addRows(
                                    Tensor.zeros(g.dtype(), s.shape(0)),
                                    s.args().integer(1),
                                    s.input(1),
                                    g,
                                    1))
                    .samples(s ->
                            samples(
                                    args(s.tensor(4, 3), 0, Tensor.of(2, 0, 2)),
                                    args(s.transposed(2, 3), -1, Tensor.of(1, 1)),
                                    args(s.tensor(3, 2, 5), 0, Tensor.of(2, 2, 1, 0)),
                                    args(s.tensor(2, 3, 2, 4), 1, Tensor.of(2, 0, 2)),
                                    args(s.tensor(2, 3), 1, Tensor.scalar(1)),
                                    args(s.tensor(), 0, Tensor.of(0)),
                                    args(s.tensor(3), 0, Tensor.zeros(DType.INT64, 0))));

    static final OperatorRow GATHER =
            differentiable("aten::gather(Tensor self, int dim, Tensor index)", "GatherBackward0")
                    .forward(a -> Indexing.gather(a.tensor(0), a.integer(1), a.tensor(2)))
                    .keep(Keep.inputs(1))
                    .gradient((s, g) ->
                            Indexing.scatter(
                                    Indexed.ADD,
                                    Tensor.zeros(g.dtype(), s.shape(0)),
                                    s.args().integer(1),
                                    s.input(1),
                                    g))
                    .samples(s ->
                            samples(
                                    args(s.tensor(3, 4), 1, index(new long[][] {{0, 0}, {3, 1}})),
                                    args(s.transposed(3, 4), 0, index(new long[][] {{2, 1, 2}})),
                                    args(s.tensor(2, 2, 3), -1, Tensor.full(2, 2, 1, 4)),
                                    args(s.tensor(3), 0, Tensor.scalar(1)),
                                    args(s.tensor(), 0, Tensor.of(0, 0))));

    static final OperatorRow SCATTER =
            differentiable(
                            "aten::scatter.src(Tensor self, int dim, Tensor index, Tensor src)",
                            "ScatterBackward0")
                    .forward(a ->
                            Indexing.scatter(
                                    Indexed.PUT,
                                    a.tensor(0),
                                    a.integer(1),
                                    a.tensor(2),
                                    a.tensor(3)))
                    .keep(Keep.inputs(1))
                    .gradient(
                            (s, g) -> Indexing.scatter(g, s.args().integer(1), s.input(1), 0),
                            NONE,
                            Indexing::sourceGradient)
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

    static final OperatorRow SCATTER_NUMBER =
            differentiable(
                            "aten::scatter.value(Tensor self, int dim, Tensor index, Scalar value)",
                            "ScatterBackward1")
                    .forward(a ->
                            Indexing.scatter(a.tensor(0), a.integer(1), a.tensor(2), a.number(3)))
                    .keep(Keep.inputs(1))
                    .gradient((s, g) -> Indexing.scatter(g, s.args().integer(1), s.input(1), 0))
                    .samples(s ->
                            samples(
                                    args(
                                            s.tensor(3, 4),
                                            1,
                                            index(new long[][] {{0, 0}, {3, 1}}),
                                            2.5),
                                    args(s.tensor(3), -1, Tensor.of(2), 7)));

    static final OperatorRow SCATTER_ADD =
            differentiable(
                            "aten::scatter_add(Tensor self, int dim, Tensor index, Tensor src)",
                            "ScatterAddBackward0")
                    .forward(a ->
                            Indexing.scatter(
                                    Indexed.ADD,
                                    a.tensor(0),
                                    a.integer(1),
                                    a.tensor(2),
                                    a.tensor(3)))
                    .keep(Keep.inputs(1))
                    .gradient((_, g) -> g, NONE, Indexing::sourceGradient)
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

    static final OperatorRow INDEX_ADD =
            differentiable(
                            "aten::index_add(Tensor self, int dim, Tensor index, Tensor source, Scalar alpha)",
                            "IndexAddBackward0")
                    .forward(a ->
                            Indexing.addRows(
                                    a.tensor(0),
                                    a.integer(1),
                                    a.tensor(2),
                                    a.tensor(3),
                                    a.number(4)))
                    .keep(Keep.inputs(1))
                    .gradient((_, g) -> g, NONE, Indexing::rowGradient)
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

    static final List<OperatorRow> ALL =
            List.of(INDEX_SELECT, GATHER, SCATTER, SCATTER_NUMBER, SCATTER_ADD, INDEX_ADD);

    private static Tensor index(long[][] rows) {
        return Tensor.of(rows);
    }

    private IndexRows() {}
}
