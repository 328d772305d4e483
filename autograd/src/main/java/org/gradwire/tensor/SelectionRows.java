package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.differentiable;
import static org.gradwire.tensor.OperatorRow.plain;
import static org.gradwire.tensor.Sampler.args;
import static org.gradwire.tensor.Sampler.samples;

import org.gradwire.tensor.Saved.Keep;

import java.util.List;

/** Operators that choose elements by a mask. */
final class SelectionRows {

    static final OperatorRow WHERE =
            differentiable(
                            "aten::where.self(Tensor condition, Tensor self, Tensor other)",
                            "WhereBackward0")
                    .forward(a -> Conditions.where(a.tensor(0), a.tensor(1), a.tensor(2)))
                    .keep(Keep.inputs(0))
                    .gradient(
                            (_, g) -> Tensor.zerosLike(g),
                            (s, g) -> Conditions.maskedGradient(g, s.input(0), true),
                            (s, g) -> Conditions.maskedGradient(g, s.input(0), false))
                    .samples(s ->
                            samples(
                                    args(s.bools(2, 3), s.tensor(2, 3), s.tensor(2, 3)),
                                    args(s.bools(3), s.tensor(2, 1, 1), s.tensor(4, 1)),
                                    args(s.bools(), s.tensor(2), s.tensor()),
                                    args(s.bools(3, 2).t(), s.transposed(2, 3), s.tensor(3)),
                                    args(s.bools(4), s.tensor(4), s.ints(4)),
                                    args(s.bools(4), s.bools(), s.longs(4)),
                                    args(s.bools(2, 0), s.tensor(2, 1), s.tensor())));

    static final OperatorRow WHERE_OTHER_NUMBER =
            differentiable(
                            "aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other)",
                            "WhereBackward0")
                    .forward(a -> Conditions.where(a.tensor(0), a.tensor(1), a.number(2)))
                    .keep(Keep.inputs(0))
                    .gradient(
                            (_, g) -> Tensor.zerosLike(g),
                            (s, g) -> Conditions.maskedGradient(g, s.input(0), true))
                    .samples(s ->
                            samples(
                                    args(s.bools(2, 3), s.tensor(2, 3), 0),
                                    args(s.bools(2, 3), s.tensor(3), -1.5),
                                    args(s.bools(4), s.ints(4), 7),
                                    args(s.bools(4), s.longs(4), 0.5),
                                    args(s.bools(4), s.bools(4), 1)));

    static final OperatorRow WHERE_SELF_NUMBER =
            differentiable(
                            "aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other)",
                            "WhereBackward0")
                    .forward(a -> Conditions.where(a.tensor(0), a.number(1), a.tensor(2)))
                    .keep(Keep.inputs(0))
                    .gradient(
                            (_, g) -> Tensor.zerosLike(g),
                            (s, g) -> Conditions.maskedGradient(g, s.input(0), false))
                    .samples(s ->
                            samples(
                                    args(s.bools(2, 3), 2, s.tensor(2, 3)),
                                    args(s.bools(4), -1, s.ints(4)),
                                    args(s.bools(2, 1), 0.5, s.longs(3))));

    static final OperatorRow WHERE_NUMBERS =
            plain("aten::where.Scalar(Tensor condition, Scalar self, Scalar other)")
                    .forward(a -> Conditions.where(a.tensor(0), a.number(1), a.number(2)))
                    .samples(s ->
                            samples(
                                    args(s.bools(2, 3), 1, -1),
                                    args(s.bools(3, 2).t(), 1, 0.5),
                                    args(s.bools(), 1.5, 2)));

    static final OperatorRow MASKED_FILL_NUMBER =
            differentiable(
                            "aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value)",
                            "MaskedFillBackward0")
                    .forward(a -> Conditions.maskedFill(a.tensor(0), a.tensor(1), a.number(2)))
                    .keep(Keep.inputs(1))
                    .gradient((s, g) -> Conditions.maskedGradient(g, s.input(1), false))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.bools(2, 3), 9),
                                    args(s.transposed(2, 3), s.bools(3), -0.5),
                                    args(s.tensor(2, 1), s.bools(3), 1),
                                    args(s.ints(4), s.bools(4), 1.5),
                                    args(s.bools(4), s.bools(4), 2),
                                    args(s.tensor(0), s.bools(0), 2)));

    static final OperatorRow MASKED_FILL =
            differentiable(
                            "aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value)",
                            "MaskedFillBackward1")
                    .forward(a -> Conditions.maskedFill(a.tensor(0), a.tensor(1), a.tensor(2)))
                    .keep(Keep.inputs(1))
                    .gradient(
                            (s, g) -> Conditions.maskedGradient(g, s.input(1), false),
                            (_, g) -> Tensor.zerosLike(g),
                            (s, g) -> Conditions.maskedGradient(g, s.input(1), true))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.bools(2, 3), s.tensor()),
                                    args(s.tensor(3), s.bools(2, 1), s.tensor()),
                                    args(s.longs(4), s.bools(4), s.ints())));

    static final OperatorRow MASKED_SELECT =
            differentiable("aten::masked_select(Tensor self, Tensor mask)", "MaskedSelectBackward0")
                    .forward(a -> Conditions.maskedSelect(a.tensor(0), a.tensor(1)))
                    .keep(Keep.inputs(1))
                    .gradient((s, g) -> Conditions.maskedSelectGradient(g, s.input(1), s.shape(0)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.bools(2, 3)),
                                    args(s.transposed(2, 3), s.bools(3)),
                                    args(s.tensor(2, 1), s.bools(4)),
                                    args(s.tensor(), s.bools(3)),
                                    args(s.tensor(3), Tensor.zeros(DType.BOOL, 3)),
                                    args(s.longs(4), s.bools(4)),
                                    args(s.bools(2, 2), s.bools(2, 2)),
                                    args(s.tensor(0, 2), s.bools(2))));

    static final OperatorRow NONZERO =
            plain("aten::nonzero(Tensor self)")
                    .forward(a -> Conditions.nonzero(a.tensor(0)))
                    .samples(s ->
                            samples(
                                    args(s.bools(2, 3)),
                                    args(s.longs(2, 2, 3)),
                                    args(s.ints(3, 2).t()),
                                    args(s.tensor(4)),
                                    args(Tensor.of(0.0, Double.NaN, -0.0)),
                                    args(Tensor.scalar(3)),
                                    args(Tensor.scalar(0)),
                                    args(s.tensor(2, 0))));

    static final List<OperatorRow> ALL =
            List.of(
                    WHERE,
                    WHERE_OTHER_NUMBER,
                    WHERE_SELF_NUMBER,
                    WHERE_NUMBERS,
                    MASKED_FILL_NUMBER,
                    MASKED_FILL,
                    MASKED_SELECT,
                    NONZERO);

    private SelectionRows() {}
}
