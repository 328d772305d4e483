package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.OperatorRow.plain;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.rule.ComparisonRules;

import java.util.List;

/** Selection by a mask. */
@OperatorFamily
public final class MaskRows {
    private static final String NO_CONDITION =
            "where expected condition to be a boolean tensor, but got a tensor with dtype Long; compare it, or convert it with to(DType.BOOL)";
    private static final String TOO_LARGE =
            "value cannot be converted to type int32 without overflow: 1099511627776";
    private static final String NO_FILL_MASK =
            "masked_fill only supports boolean masks, but got mask with dtype Long";

    /**
     * Choose the elements of {@code self} where a bool condition holds, else those of {@code
     * other}; all three broadcast.
     */
    @TensorMethod
    public static final OperatorRow WHERE =
            differentiable(
                            "aten::where.self(Tensor condition, Tensor self, Tensor other)",
                            "WhereBackward0")
                    .forward(a -> ComparisonRules.where(a.tensor(0), a.tensor(1), a.tensor(2)))
                    .keep(Keep.inputs(0))
                    .gradient(
                            (_, g) -> Tensor.zerosLike(g),
                            (s, g) -> ComparisonRules.maskedGradient(g, s.input(0), true),
                            (s, g) -> ComparisonRules.maskedGradient(g, s.input(0), false))
                    .refuses(s ->
                            List.of(
                                    refusal(NO_CONDITION, s.longs(3), s.tensor(3), s.tensor(3)),
                                    refusal(
                                            "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0; the shapes are [3] and [2]",
                                            s.bools(2),
                                            s.tensor(3),
                                            s.tensor(3))))
                    .samples(s ->
                            samples(
                                    args(s.bools(2, 3), s.tensor(2, 3), s.tensor(2, 3)),
                                    args(s.bools(3), s.tensor(2, 1, 1), s.tensor(4, 1)),
                                    args(s.bools(), s.tensor(2), s.tensor()),
                                    args(s.bools(3, 2).t(), s.transposed(2, 3), s.tensor(3)),
                                    args(s.bools(4), s.tensor(4), s.ints(4)),
                                    args(s.bools(4), s.bools(), s.longs(4)),
                                    args(s.bools(2, 0), s.tensor(2, 1), s.tensor())));

    /** Choose the elements of {@code self} where a bool condition holds, else a number. */
    @TensorMethod
    public static final OperatorRow WHERE_OTHER_NUMBER =
            differentiable(
                            "aten::where.ScalarOther(Tensor condition, Tensor self, Scalar other)",
                            "WhereBackward0")
                    .forward(a -> ComparisonRules.where(a.tensor(0), a.tensor(1), a.number(2)))
                    .keep(Keep.inputs(0))
                    .gradient(
                            (_, g) -> Tensor.zerosLike(g),
                            (s, g) -> ComparisonRules.maskedGradient(g, s.input(0), true))
                    .refuses(s ->
                            List.of(
                                    refusal(NO_CONDITION, s.longs(3), s.tensor(3), 0),
                                    refusal(TOO_LARGE, s.bools(3), s.ints(3), 1L << 40)))
                    .samples(s ->
                            samples(
                                    args(s.bools(2, 3), s.tensor(2, 3), 0),
                                    args(s.bools(2, 3), s.tensor(3), -1.5),
                                    args(s.bools(4), s.ints(4), 7),
                                    args(s.bools(4), s.longs(4), 0.5),
                                    args(s.bools(4), s.bools(4), 1)));

    /** Choose a number where a bool condition holds, else the elements of {@code other}. */
    public static final OperatorRow WHERE_SELF_NUMBER =
            differentiable(
                            "aten::where.ScalarSelf(Tensor condition, Scalar self, Tensor other)",
                            "WhereBackward0")
                    .forward(a -> ComparisonRules.where(a.tensor(0), a.number(1), a.tensor(2)))
                    .keep(Keep.inputs(0))
                    .gradient(
                            (_, g) -> Tensor.zerosLike(g),
                            (s, g) -> ComparisonRules.maskedGradient(g, s.input(0), false))
                    .refuses(s ->
                            List.of(
                                    refusal(NO_CONDITION, s.longs(3), 0, s.tensor(3)),
                                    refusal(TOO_LARGE, s.bools(3), 1L << 40, s.ints(3))))
                    .samples(s ->
                            samples(
                                    args(s.bools(2, 3), 2, s.tensor(2, 3)),
                                    args(s.bools(4), -1, s.ints(4)),
                                    args(s.bools(2, 1), 0.5, s.longs(3))));

    /**
     * Choose one number where a bool condition holds, else another; int64 when both are whole, else
     * float32.
     */
    public static final OperatorRow WHERE_NUMBERS =
            plain("aten::where.Scalar(Tensor condition, Scalar self, Scalar other)")
                    .forward(a -> ComparisonRules.where(a.tensor(0), a.number(1), a.number(2)))
                    .refuses(s -> List.of(refusal(NO_CONDITION, s.longs(3), 1, -1)))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.bools(2, 3), 1, -1),
                                    args(s.bools(3, 2).t(), 1, 0.5),
                                    args(s.bools(), 1.5, 2)));

    /** Replace elements by a number where a bool mask is set; keeps the type. */
    @TensorMethod
    public static final OperatorRow MASKED_FILL_NUMBER =
            differentiable(
                            "aten::masked_fill.Scalar(Tensor self, Tensor mask, Scalar value)",
                            "MaskedFillBackward0")
                    .forward(a -> ComparisonRules.maskedFill(a.tensor(0), a.tensor(1), a.number(2)))
                    .keep(Keep.inputs(1))
                    .gradient((s, g) -> ComparisonRules.maskedGradient(g, s.input(1), false))
                    .refuses(s ->
                            List.of(
                                    refusal(NO_FILL_MASK, s.tensor(3), s.longs(3), 9),
                                    refusal(TOO_LARGE, s.ints(3), s.bools(3), 1L << 40)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.bools(2, 3), 9),
                                    args(s.transposed(2, 3), s.bools(3), -0.5),
                                    args(s.tensor(2, 1), s.bools(3), 1),
                                    args(s.ints(4), s.bools(4), 1.5),
                                    args(s.bools(4), s.bools(4), 2),
                                    args(s.tensor(0), s.bools(0), 2)));

    /**
     * Replace elements by the one of a tensor without dimensions where a bool mask is set; keeps
     * the type.
     */
    @TensorMethod
    public static final OperatorRow MASKED_FILL =
            differentiable(
                            "aten::masked_fill.Tensor(Tensor self, Tensor mask, Tensor value)",
                            "MaskedFillBackward1")
                    .forward(a -> ComparisonRules.maskedFill(a.tensor(0), a.tensor(1), a.tensor(2)))
                    .keep(Keep.inputs(1))
                    .gradient(
                            (s, g) -> ComparisonRules.maskedGradient(g, s.input(1), false),
                            (_, g) -> Tensor.zerosLike(g),
                            (s, g) -> ComparisonRules.maskedGradient(g, s.input(1), true))
                    .refuses(s ->
                            List.of(
                                    refusal(NO_FILL_MASK, s.tensor(3), s.longs(3), s.tensor()),
                                    refusal(
                                            "masked_fill only supports a 0-dimensional value tensor, but got tensor with 1 dimension(s).",
                                            s.tensor(3),
                                            s.bools(3),
                                            s.tensor(3))))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.bools(2, 3), s.tensor()),
                                    args(s.tensor(3), s.bools(2, 1), s.tensor()),
                                    args(s.longs(4), s.bools(4), s.ints())));

    /** Return the elements for which a bool mask is set, as a vector. */
    @TensorMethod
    public static final OperatorRow MASKED_SELECT =
            differentiable("aten::masked_select(Tensor self, Tensor mask)", "MaskedSelectBackward0")
                    .forward(a -> ComparisonRules.maskedSelect(a.tensor(0), a.tensor(1)))
                    .keep(Keep.inputs(1))
                    .gradient((s, g) ->
                            ComparisonRules.maskedSelectGradient(g, s.input(1), s.shape(0)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "masked_select: the mask must be of bool, but is of int32",
                                            s.tensor(3),
                                            s.ints(3)),
                                    refusal(
                                            "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0; the shapes are [3] and [2]",
                                            s.tensor(3),
                                            s.bools(2))))
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

    /** Return the indices of the nonzero elements, in order: int64 {@code [n, dim()]}. */
    @TensorMethod
    public static final OperatorRow NONZERO =
            plain("aten::nonzero(Tensor self)")
                    .forward(a -> ComparisonRules.nonzero(a.tensor(0)))
                    .refusesSparse()
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

    private MaskRows() {}
}
