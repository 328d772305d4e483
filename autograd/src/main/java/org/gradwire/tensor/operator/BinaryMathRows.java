package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Unary;
import org.gradwire.tensor.operator.OperatorRow.Samples;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.operator.sample.ErrorSamples;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.Indicators;
import org.gradwire.tensor.rule.MathRules;

import java.util.List;

/**
 * Binary and ternary mathematical functions: powers, {@code atan2}, remainders, {@code lerp},
 * {@code addcmul}.
 */
@OperatorFamily
public final class BinaryMathRows {
    private static final String OTHER_TYPE =
            "expected dtype float64 for `end` and `weight` but got dtype int64";
    private static final String UNLIKE_TERMS =
            "The size of tensor a (2) must match the size of tensor b (3) at non-singleton dimension 0; the shapes are [2] and [3]";
    private static final Samples QUOTIENTS =
            s ->
                    samples(
                            args(s.tensor(2, 3), s.positive(2, 3)),
                            args(s.tensor(2, 1, 3), s.positive(4, 1)),
                            args(s.transposed(3, 2), s.positive()));
    private static final Samples WITH_NUMBER =
            s -> samples(args(s.tensor(2, 3), 0.3), args(s.transposed(2, 3), -2));

    /** Raise each element to the power of the corresponding element of another tensor. */
    @TensorMethod
    public static final OperatorRow POW =
            differentiable("aten::pow.Tensor_Tensor(Tensor self, Tensor exponent)", "PowBackward1")
                    .forward(a -> MathRules.binary(Binary.POW, a.tensor(0), a.tensor(1)))
                    .keep(Keep.INPUTS_AND_OUTPUT)
                    .gradient(
                            (s, g) -> MathRules.powBaseGradient(g, s.input(0), s.input(1)),
                            (s, g) ->
                                    MathRules.powExponentGradient(
                                            g, s.input(0), s.input(1), s.output()))
                    .refuses(ErrorSamples.UNLIKE_SHAPES)
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.positive(2, 3), s.tensor(2, 3)),
                                    args(s.positive(2, 1), s.tensor(3)),
                                    args(s.positive(), s.transposed(3, 2))));

    /** Raise a number to the power of each element. */
    public static final OperatorRow NUMBER_POW =
            differentiable("aten::pow.Scalar(Scalar self, Tensor exponent)", "PowBackward2")
                    .forward(a -> MathRules.pow(a.number(0), a.tensor(1)))
                    .keep(Keep.INPUTS_AND_OUTPUT)
                    .gradient((s, g) -> {
                        Tensor base = Tensor.scalar(s.output().dtype(), s.args().number(0));
                        return MathRules.powExponentGradient(g, base, s.input(0), s.output());
                    })
                    .refusesSparse()
                    .samples(s -> samples(args(2, s.tensor(2, 3)), args(0.3, s.tensor(4))));

    /**
     * Compute the angle between the positive axis and the point with the coordinates {@code (other,
     * self)}.
     */
    @TensorMethod
    public static final OperatorRow ATAN2 =
            differentiable("aten::atan2(Tensor self, Tensor other)", "Atan2Backward0")
                    .forward(a -> MathRules.floating(Binary.ATAN2, a.tensor(0), a.tensor(1)))
                    .keep(Keep.INPUTS)
                    .gradient(
                            (s, g) -> g.mul(s.input(1)).mul(inverseSquare(s)),
                            (s, g) -> g.mul(s.input(0).neg()).mul(inverseSquare(s)))
                    .refuses(ErrorSamples.UNLIKE_SHAPES)
                    .refusesSparse()
                    .samples(QUOTIENTS);

    /** Compute the remainder of a division, with the sign of the divisor. */
    @TensorMethod
    public static final OperatorRow REMAINDER =
            differentiable(
                            "aten::remainder.Tensor(Tensor self, Tensor other)",
                            "RemainderBackward1")
                    .forward(a -> MathRules.binary(Binary.REMAINDER, a.tensor(0), a.tensor(1)))
                    .keep(Keep.INPUTS)
                    .gradient((_, g) -> g, (s, g) -> g.mul(flooredQuotient(s, g.dtype())).neg())
                    .refuses(ErrorSamples.UNLIKE_SHAPES)
                    .refusesSparse()
                    .samples(QUOTIENTS);

    /** Compute the remainder of a division, with the sign of the divisor. */
    @TensorMethod
    public static final OperatorRow REMAINDER_NUMBER =
            differentiable(
                            "aten::remainder.Scalar(Tensor self, Scalar other)",
                            "RemainderBackward0")
                    .forward(a -> MathRules.binary(Binary.REMAINDER, a.tensor(0), a.number(1)))
                    .gradient((_, g) -> g)
                    .refusesSparse()
                    .samples(WITH_NUMBER);

    /** Compute the remainder of a division, with the sign of the dividend. */
    @TensorMethod
    public static final OperatorRow FMOD =
            differentiable("aten::fmod.Tensor(Tensor self, Tensor other)", "FmodBackward1")
                    .forward(a -> MathRules.binary(Binary.FMOD, a.tensor(0), a.tensor(1)))
                    .keep(Keep.INPUTS)
                    .gradient((_, g) -> g, (s, g) -> g.mul(truncatedQuotient(s)).neg())
                    .refuses(ErrorSamples.UNLIKE_SHAPES)
                    .refusesSparse()
                    .samples(QUOTIENTS);

    /** Compute the remainder of a division, with the sign of the dividend. */
    @TensorMethod
    public static final OperatorRow FMOD_NUMBER =
            differentiable("aten::fmod.Scalar(Tensor self, Scalar other)", "FmodBackward0")
                    .forward(a -> MathRules.binary(Binary.FMOD, a.tensor(0), a.number(1)))
                    .gradient((_, g) -> g)
                    .refusesSparse()
                    .samples(WITH_NUMBER);

    /** Compute {@code self + weight * (end - self)}. */
    @TensorMethod
    public static final OperatorRow LERP_NUMBER =
            differentiable(
                            "aten::lerp.Scalar(Tensor self, Tensor end, Scalar weight)",
                            "LerpBackward0")
                    .forward(a -> MathRules.lerp(a.tensor(0), a.tensor(1), a.number(2)))
                    .gradient(
                            (s, g) -> g.mul(1 - s.args().number(2).doubleValue()),
                            (s, g) -> g.mul(s.args().number(2)))
                    .refuses(s ->
                            List.of(
                                    refusal(OTHER_TYPE, s.tensor(2), s.longs(2), 0.5),
                                    refusal(
                                            "\"lerp\" not implemented for 'Long'",
                                            s.longs(2),
                                            s.longs(2),
                                            0.5)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.tensor(2, 3), 0.2),
                                    args(s.tensor(2, 1), s.tensor(3), 0.7)));

    /** Compute {@code self + weight * (end - self)}. */
    @TensorMethod
    public static final OperatorRow LERP =
            differentiable(
                            "aten::lerp.Tensor(Tensor self, Tensor end, Tensor weight)",
                            "LerpBackward1")
                    .forward(a -> MathRules.lerp(a.tensor(0), a.tensor(1), a.tensor(2)))
                    .keep(Keep.INPUTS)
                    .gradient(
                            (s, g) -> g.mul(Indicators.not(s.input(2))),
                            (s, g) -> g.mul(s.input(2)),
                            (s, g) -> g.mul(s.input(1).sub(s.input(0))))
                    .refuses(s ->
                            List.of(
                                    refusal(OTHER_TYPE, s.tensor(2), s.tensor(2), s.longs(2)),
                                    refusal(
                                            "The size of tensor a (3) must match the size of tensor b (2) at non-singleton dimension 0; the shapes are [3] and [2]",
                                            s.tensor(2),
                                            s.tensor(3),
                                            s.tensor())))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.tensor(2, 3), s.positive(2, 3)),
                                    args(s.tensor(2, 1), s.tensor(3), s.tensor())));

    /** Compute {@code self + value * tensor1 * tensor2}. */
    @TensorMethod
    public static final OperatorRow ADDCMUL =
            differentiable(
                            "aten::addcmul(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value)",
                            "AddcmulBackward0")
                    .forward(a ->
                            MathRules.addCombined(
                                    Binary.MUL, a.tensor(0), a.tensor(1), a.tensor(2), a.number(3)))
                    .keep(Keep.inputs(1, 2))
                    .gradient(
                            (_, g) -> g,
                            (s, g) -> g.mul(s.input(2).mul(s.args().number(3))),
                            (s, g) -> g.mul(s.input(1).mul(s.args().number(3))))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            UNLIKE_TERMS,
                                            s.tensor(2),
                                            s.tensor(3),
                                            s.tensor(3),
                                            1)))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.tensor(2, 3), s.tensor(2, 3), 0.5),
                                    args(s.tensor(2, 1), s.tensor(3), s.tensor(), -2)));

    /** Compute {@code self + value * tensor1 / tensor2}. */
    @TensorMethod
    public static final OperatorRow ADDCDIV =
            differentiable(
                            "aten::addcdiv(Tensor self, Tensor tensor1, Tensor tensor2, Scalar value)",
                            "AddcdivBackward0")
                    .forward(a ->
                            MathRules.addCombined(
                                    Binary.DIV, a.tensor(0), a.tensor(1), a.tensor(2), a.number(3)))
                    .keep(Keep.inputs(1, 2))
                    .gradient(
                            (_, g) -> g,
                            (s, g) -> g.mul(s.args().number(3)).div(s.input(2)),
                            (s, g) ->
                                    g.mul(s.input(1).mul(s.args().number(3)))
                                            .div(s.input(2).mul(s.input(2)))
                                            .neg())
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Integer division with addcdiv is no longer supported; convert int64[2] or int64[2] with to(dtype)",
                                            s.tensor(2),
                                            s.longs(2),
                                            s.longs(2),
                                            1),
                                    refusal(
                                            UNLIKE_TERMS,
                                            s.tensor(2),
                                            s.tensor(3),
                                            s.tensor(3),
                                            1)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.tensor(2, 3), s.positive(2, 3), 0.5),
                                    args(s.tensor(2, 1), s.tensor(3), s.positive(), -2)));

    private BinaryMathRows() {}

    private static Tensor inverseSquare(Saved s) {
        Tensor square = s.input(0).mul(s.input(0)).add(s.input(1).mul(s.input(1)));
        return Elementwise.unary(Unary.RECIPROCAL, square);
    }

    private static Tensor truncatedQuotient(Saved s) {
        return Elementwise.unary(Unary.TRUNC, s.input(0).div(s.input(1)));
    }

    /** Return the floor of a quotient, from the exact remainder, as the divisor may be infinite. */
    private static Tensor flooredQuotient(Saved s, DType dtype) {
        Tensor dividend = Elementwise.cast(s.input(0), dtype);
        Tensor divisor = Elementwise.cast(s.input(1), dtype);
        Tensor rest = Elementwise.binary(Binary.FMOD, dividend, divisor);
        Tensor whole = Elementwise.unary(Unary.ROUND, dividend.sub(rest).div(divisor));
        Tensor unlike = Indicators.same(Ops.sign(rest).mul(Ops.sign(divisor)), -1);
        Tensor isZero = Ops.eq(divisor, 0);
        return Ops.where(isZero, dividend.div(divisor), whole.sub(unlike));
    }
}
