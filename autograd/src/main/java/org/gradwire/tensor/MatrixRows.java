package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.composite;
import static org.gradwire.tensor.OperatorRow.differentiable;
import static org.gradwire.tensor.Sampler.args;
import static org.gradwire.tensor.Sampler.samples;

import org.gradwire.tensor.Saved.Keep;

import java.util.List;

/** Operators that multiply matrices. */
final class MatrixRows {
    private static final int LIGHT_ELEMENTS = 4096;
    private static final long LIGHT_MULTIPLICATIONS = 1 << 18;

    static final OperatorRow MM =
            differentiable("aten::mm(Tensor self, Tensor mat2)", "MmBackward0")
                    .forward(a -> Products.mm(a.tensor(0), a.tensor(1)))
                    .keep(Keep.OTHER_INPUT)
                    .gradient(
                            (s, g) -> g.mm(s.input(1).transposed()),
                            (s, g) -> s.input(0).transposed().mm(g))
                    .light(MatrixRows::isLight)
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.tensor(3, 4)),
                                    args(s.tensor(5, 7), s.transposed(7, 6)),
                                    args(s.transposed(5, 7), s.tensor(7, 2)),
                                    args(s.tensor(1, 3), s.tensor(3, 1)),
                                    args(s.tensor(2, 0), s.tensor(0, 3))));

    static final OperatorRow BMM =
            differentiable("aten::bmm(Tensor self, Tensor mat2)", "BmmBackward0")
                    .forward(a -> Products.bmm(a.tensor(0), a.tensor(1)))
                    .keep(Keep.OTHER_INPUT)
                    .gradient(
                            (s, g) -> Products.bmm(g, Views.transpose(s.input(1), 1, 2)),
                            (s, g) -> Products.bmm(Views.transpose(s.input(0), 1, 2), g))
                    .light(MatrixRows::isLight)
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3, 4), s.tensor(2, 4, 5)),
                                    args(s.tensor(1, 6, 5), s.tensor(1, 5, 6))));

    static final OperatorRow MV =
            differentiable("aten::mv(Tensor self, Tensor vec)", "MvBackward0")
                    .forward(a -> Products.mv(a.tensor(0), a.tensor(1)))
                    .keep(Keep.OTHER_INPUT)
                    .gradient(
                            (s, g) -> Views.unsqueeze(g, 1).mul(s.input(1)),
                            (s, g) -> Products.mv(s.input(0).transposed(), g))
                    .light(MatrixRows::isLight)
                    .samples(s ->
                            samples(
                                    args(s.tensor(3, 4), s.tensor(4)),
                                    args(s.transposed(3, 4), s.tensor(4))));

    static final OperatorRow DOT =
            differentiable("aten::dot(Tensor self, Tensor tensor)", "DotBackward0")
                    .forward(a -> Products.dot(a.tensor(0), a.tensor(1)))
                    .keep(Keep.OTHER_INPUT)
                    .gradient((s, g) -> s.input(1).mul(g), (s, g) -> s.input(0).mul(g))
                    .light(MatrixRows::isLight)
                    .samples(s -> samples(args(s.tensor(4), s.tensor(4))));

    static final OperatorRow MATMUL =
            composite("aten::matmul(Tensor self, Tensor other)")
                    .forward(a -> MatrixChains.matmul(a.tensor(0), a.tensor(1)))
                    .light(MatrixRows::isLight)
                    .samples(s ->
                            samples(
                                    args(s.tensor(3), s.tensor(3)),
                                    args(s.tensor(2, 3), s.tensor(3)),
                                    args(s.tensor(3), s.tensor(3, 2)),
                                    args(s.tensor(2, 3), s.tensor(3, 4)),
                                    args(s.tensor(2, 3, 4), s.tensor(4)),
                                    args(s.tensor(2, 3, 4), s.tensor(4, 2)),
                                    args(s.tensor(3, 4), s.tensor(2, 4, 2)),
                                    args(s.tensor(4), s.tensor(2, 4, 2)),
                                    args(s.tensor(2, 3, 4), s.tensor(2, 4, 2)),
                                    args(s.tensor(3, 1, 2, 4), s.tensor(2, 4, 2))));

    static final OperatorRow LINEAR =
            differentiable(
                            "aten::linear(Tensor input, Tensor weight, Tensor? bias)",
                            "LinearBackward0")
                    .forward(a -> Products.linear(a.tensor(0), a.tensor(1), a.optionalTensor(2)))
                    .keep(Keep.OTHER_INPUT)
                    .gradient(
                            MatrixRows::linearInputGradient,
                            MatrixRows::linearWeightGradient,
                            (_, g) -> g)
                    .light(MatrixRows::isLight)
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.tensor(4, 3), s.tensor(4)),
                                    args(s.tensor(3), s.tensor(4, 3), s.tensor(4)),
                                    args(s.tensor(2, 2, 3), s.tensor(4, 3), null),
                                    args(s.transposed(5, 6), s.tensor(7, 6), s.tensor(7))));

    static final OperatorRow MULTI_DOT =
            composite("aten::linalg_multi_dot(Tensor[] tensors)")
                    .forward(a -> MatrixChains.multiDot(a.tensors(0)))
                    .light(MatrixRows::isLight)
                    .samples(s ->
                            samples(
                                    args(List.of(s.tensor(2, 3), s.tensor(3, 4))),
                                    args(List.of(s.tensor(2, 3), s.tensor(3, 4), s.tensor(4, 2))),
                                    args(
                                            List.of(
                                                    s.tensor(3),
                                                    s.tensor(3, 4),
                                                    s.tensor(4, 2),
                                                    s.tensor(2)))));

    static final List<OperatorRow> ALL = List.of(MM, BMM, MV, DOT, MATMUL, LINEAR, MULTI_DOT);

    private MatrixRows() {}

    /**
     * Some microseconds at most: with {@code e} elements in all, a product takes no more than about
     * {@code (e/2)^1.5} multiplications.
     */
    private static boolean isLight(Args args) {
        long elements = OperatorRow.elements(args);
        return elements <= LIGHT_ELEMENTS && Math.pow(elements / 2.0, 1.5) <= LIGHT_MULTIPLICATIONS;
    }

    private static Tensor linearInputGradient(Saved saved, Tensor gradient) {
        Tensor rows = Products.flattened(gradient, saved.shape(1)[0]);
        return Products.mm(rows, saved.input(1)).viewAs(saved.shape(0));
    }

    private static Tensor linearWeightGradient(Saved saved, Tensor gradient) {
        Tensor rows = Products.flattened(gradient, saved.shape(1)[0]);
        Tensor inputs = Products.flattened(saved.input(0), saved.shape(1)[1]);
        return Products.mm(rows.transposed(), inputs);
    }
}
