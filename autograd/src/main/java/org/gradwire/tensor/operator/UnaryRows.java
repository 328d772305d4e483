package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.kernel.element.Unary;
import org.gradwire.tensor.operator.OperatorRow.InputGradient;
import org.gradwire.tensor.operator.OperatorRow.Samples;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.MathRules;

/** Unary elementwise functions. */
@OperatorFamily
public final class UnaryRows {
    private static final Samples ANY =
            s ->
                    samples(
                            args(s.tensor(2, 3)),
                            args(s.tensor()),
                            args(s.transposed(3, 4)),
                            args(s.tensor(0)));
    private static final Samples POSITIVE =
            s -> samples(args(s.positive(2, 3)), args(s.positive()));
    private static final double LN_2 = Math.log(2);
    private static final double LN_10 = Math.log(10);
    private static final double TWO_BY_ROOT_PI = 2 / Math.sqrt(Math.PI);

    /** Compute the absolute value of each element. */
    @TensorMethod
    public static final OperatorRow ABS =
            differentiable("aten::abs(Tensor self)", "AbsBackward0")
                    .forward(a -> MathRules.unary(Unary.ABS, a.tensor(0)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) -> g.mul(MathRules.unary(Unary.SIGN, s.input(0))))
                    .refusesSparse()
                    .samples(ANY);

    /** Compute the sign of each element: -1, 0 or 1. */
    @TensorMethod
    public static final OperatorRow SIGN =
            step("aten::sign(Tensor self)", "SignBackward0", Unary.SIGN);

    /** Compute the square of each element. */
    @TensorMethod
    public static final OperatorRow SQUARE =
            differentiable("aten::square(Tensor self)", "PowBackward0")
                    .forward(a -> MathRules.unary(Unary.SQUARE, withoutBool(a.tensor(0))))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) -> g.mul(s.input(0).mul(2)))
                    .refusesSparse()
                    .samples(ANY);

    /** Divide 1 by each element. */
    @TensorMethod
    public static final OperatorRow RECIPROCAL =
            ofOutput(
                    "aten::reciprocal(Tensor self)",
                    "ReciprocalBackward0",
                    Unary.RECIPROCAL,
                    (s, g) -> g.mul(s.output().mul(s.output())).neg(),
                    POSITIVE);

    /** Divide 1 by the square root of each element. */
    @TensorMethod
    public static final OperatorRow RSQRT =
            ofOutput(
                    "aten::rsqrt(Tensor self)",
                    "RsqrtBackward0",
                    Unary.RSQRT,
                    (s, g) -> g.mul(-0.5).mul(s.output().pow(3)),
                    POSITIVE);

    /** Compute e to the power of each element, minus 1, exact near 0. */
    @TensorMethod
    public static final OperatorRow EXPM1 =
            ofOutput(
                    "aten::expm1(Tensor self)",
                    "Expm1Backward0",
                    Unary.EXPM1,
                    (s, g) -> g.mul(s.output().add(1)),
                    ANY);

    /** Compute the tangent of each element. */
    @TensorMethod
    public static final OperatorRow TAN =
            ofOutput(
                    "aten::tan(Tensor self)",
                    "TanBackward0",
                    Unary.TAN,
                    (s, g) -> g.mul(s.output().mul(s.output()).add(1)),
                    ANY);

    /** Compute the natural logarithm of 1 plus each element, exact near 0. */
    @TensorMethod
    public static final OperatorRow LOG1P =
            ofInput(
                    "aten::log1p(Tensor self)",
                    "Log1PBackward0",
                    Unary.LOG1P,
                    (s, g) -> g.div(s.input(0).add(1)),
                    ANY);

    /** Compute the binary logarithm of each element. */
    @TensorMethod
    public static final OperatorRow LOG2 =
            ofInput(
                    "aten::log2(Tensor self)",
                    "Log2Backward0",
                    Unary.LOG2,
                    (s, g) -> g.div(s.input(0).mul(LN_2)),
                    POSITIVE);

    /** Compute the decimal logarithm of each element. */
    @TensorMethod
    public static final OperatorRow LOG10 =
            ofInput(
                    "aten::log10(Tensor self)",
                    "Log10Backward0",
                    Unary.LOG10,
                    (s, g) -> g.div(s.input(0).mul(LN_10)),
                    POSITIVE);

    /** Compute the arc sine of each element. */
    @TensorMethod
    public static final OperatorRow ASIN =
            ofInput(
                    "aten::asin(Tensor self)",
                    "AsinBackward0",
                    Unary.ASIN,
                    (s, g) -> g.mul(arcSlope(s.input(0))),
                    ANY);

    /** Compute the arc cosine of each element. */
    @TensorMethod
    public static final OperatorRow ACOS =
            ofInput(
                    "aten::acos(Tensor self)",
                    "AcosBackward0",
                    Unary.ACOS,
                    (s, g) -> g.mul(arcSlope(s.input(0))).neg(),
                    ANY);

    /** Compute the arc tangent of each element. */
    @TensorMethod
    public static final OperatorRow ATAN =
            ofInput(
                    "aten::atan(Tensor self)",
                    "AtanBackward0",
                    Unary.ATAN,
                    (s, g) -> g.div(s.input(0).mul(s.input(0)).add(1)),
                    ANY);

    /** Compute the hyperbolic sine of each element. */
    @TensorMethod
    public static final OperatorRow SINH =
            ofInput(
                    "aten::sinh(Tensor self)",
                    "SinhBackward0",
                    Unary.SINH,
                    (s, g) -> g.mul(Elementwise.unary(Unary.COSH, s.input(0))),
                    ANY);

    /** Compute the hyperbolic cosine of each element. */
    @TensorMethod
    public static final OperatorRow COSH =
            ofInput(
                    "aten::cosh(Tensor self)",
                    "CoshBackward0",
                    Unary.COSH,
                    (s, g) -> g.mul(Elementwise.unary(Unary.SINH, s.input(0))),
                    ANY);

    /** Compute the error function of each element. */
    @TensorMethod
    public static final OperatorRow ERF =
            ofInput(
                    "aten::erf(Tensor self)",
                    "ErfBackward0",
                    Unary.ERF,
                    (s, g) -> g.mul(s.input(0).mul(s.input(0)).neg().exp().mul(TWO_BY_ROOT_PI)),
                    ANY);

    /** Round each element down. */
    @TensorMethod
    public static final OperatorRow FLOOR =
            step("aten::floor(Tensor self)", "FloorBackward0", Unary.FLOOR);

    /** Round each element up. */
    @TensorMethod
    public static final OperatorRow CEIL =
            step("aten::ceil(Tensor self)", "CeilBackward0", Unary.CEIL);

    /** Round each element to the nearest integer, half to the even one. */
    @TensorMethod
    public static final OperatorRow ROUND =
            step("aten::round(Tensor self)", "RoundBackward0", Unary.ROUND);

    /** Cut off the fraction of each element. */
    @TensorMethod
    public static final OperatorRow TRUNC =
            step("aten::trunc(Tensor self)", "TruncBackward0", Unary.TRUNC);

    private UnaryRows() {}

    private static Tensor withoutBool(Tensor x) {
        return x.dtype() == DType.BOOL ? Elementwise.cast(x, DType.INT64) : x;
    }

    /** Return the row of a function whose gradient is zero. */
    private static OperatorRow step(String declaration, String node, Unary function) {
        return differentiable(declaration, node)
                .forward(a -> MathRules.unary(function, a.tensor(0)))
                .gradient((_, g) -> Tensor.zerosLike(g))
                .refusesSparse()
                .samples(ANY);
    }

    /** Return the row of a function whose gradient follows from its result. */
    private static OperatorRow ofOutput(
            String declaration,
            String node,
            Unary function,
            InputGradient gradient,
            Samples samples) {
        return differentiable(declaration, node)
                .forward(a -> MathRules.floating(function, a.tensor(0)))
                .keep(Keep.OUTPUT)
                .gradient(gradient)
                .refusesSparse()
                .samples(samples);
    }

    /** Return the row of a function whose gradient follows from its argument. */
    private static OperatorRow ofInput(
            String declaration,
            String node,
            Unary function,
            InputGradient gradient,
            Samples samples) {
        return differentiable(declaration, node)
                .forward(a -> MathRules.floating(function, a.tensor(0)))
                .keep(Keep.INPUTS)
                .gradient(gradient)
                .refusesSparse()
                .samples(samples);
    }

    private static Tensor arcSlope(Tensor x) {
        return Elementwise.unary(Unary.RSQRT, x.mul(x).neg().add(1));
    }
}
