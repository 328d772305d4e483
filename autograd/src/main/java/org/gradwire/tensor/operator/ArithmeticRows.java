package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.both;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Unary;
import org.gradwire.tensor.operator.OperatorRow.Samples;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.operator.sample.ErrorSamples;
import org.gradwire.tensor.rule.Elementwise;

import java.util.List;

/** Elementwise arithmetic, and the most frequent elementwise functions. */
@OperatorFamily
public final class ArithmeticRows {
    private static final Samples PAIRS =
            s ->
                    samples(
                            args(s.tensor(2, 3), s.tensor(2, 3)),
                            args(s.tensor(2, 1, 3), s.tensor(4, 1)),
                            args(s.tensor(3), s.tensor()),
                            args(s.transposed(3, 2), s.tensor(3, 2)),
                            args(s.tensor(0, 2), s.tensor(2)));
    private static final Samples TYPED_PAIRS =
            s ->
                    samples(
                            args(s.ints(2, 3), s.longs(3)),
                            args(s.ints(4), s.longs()),
                            args(s.ints(), s.longs()),
                            args(s.tensor(3), s.ints(2, 1)),
                            args(s.longs(3), s.tensor()));
    private static final Samples BOOL_PAIRS =
            s ->
                    samples(
                            args(s.bools(2, 3), s.bools(2, 3)),
                            args(s.bools(3, 2).t(), s.ints(3)),
                            args(s.bools(3), s.tensor(3)));
    private static final Samples TYPED_WITH_NUMBER =
            s -> samples(args(s.ints(2, 3), 2), args(s.longs(4), 0.5));
    private static final Samples SINGLE =
            s ->
                    samples(
                            args(s.tensor(2, 3)),
                            args(s.tensor()),
                            args(s.transposed(3, 4)),
                            args(s.tensor(0)));
    private static final Samples POSITIVE =
            s -> samples(args(s.positive(2, 3)), args(s.positive()));
    private static final Samples WITH_NUMBER =
            s -> samples(args(s.tensor(2, 3), 2), args(s.transposed(2, 3), -1.5));

    /** Add, element by element. */
    @TensorMethod
    public static final OperatorRow ADD =
            differentiable("aten::add.Tensor(Tensor self, Tensor other)", "AddBackward0")
                    .forward(a -> Elementwise.binary(Binary.ADD, a.tensor(0), a.tensor(1)))
                    .gradient((_, g) -> g, (_, g) -> g)
                    .sparse(SparseVariants.ADD_TO_DENSE, SparseVariants.ADD)
                    .sparseGradients()
                    .refuses(ErrorSamples.UNLIKE_SHAPES)
                    .samples(both(both(PAIRS, TYPED_PAIRS), BOOL_PAIRS));

    /** Add a number to each element. */
    @TensorMethod
    public static final OperatorRow ADD_NUMBER =
            differentiable("aten::add.Scalar(Tensor self, Scalar other)", "AddBackward0")
                    .forward(a -> Elementwise.binary(Binary.ADD, a.tensor(0), a.number(1)))
                    .gradient((_, g) -> g)
                    .sparseGradients()
                    .refusesSparse()
                    .samples(both(WITH_NUMBER, TYPED_WITH_NUMBER));

    /** Subtract, element by element. */
    @TensorMethod
    public static final OperatorRow SUB =
            differentiable("aten::sub.Tensor(Tensor self, Tensor other)", "SubBackward0")
                    .forward(a -> Elementwise.binary(Binary.SUB, a.tensor(0), a.tensor(1)))
                    .gradient((_, g) -> g, (_, g) -> g.neg())
                    .sparse(SparseVariants.SUB_FROM_DENSE, SparseVariants.SUB)
                    .sparseGradients()
                    .refuses(ErrorSamples.UNLIKE_SHAPES)
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "sub does not take two bool tensors; use logicalXor()",
                                            s.bools(3),
                                            s.bools(3)),
                                    refusal(
                                            "sub does not take a bool tensor. To invert a mask, use logicalNot().",
                                            s.tensor(3),
                                            s.bools(3))))
                    .samples(both(PAIRS, TYPED_PAIRS));

    /** Subtract a number from each element. */
    @TensorMethod
    public static final OperatorRow SUB_NUMBER =
            differentiable("aten::sub.Scalar(Tensor self, Scalar other)", "SubBackward0")
                    .forward(a -> Elementwise.binary(Binary.SUB, a.tensor(0), a.number(1)))
                    .gradient((_, g) -> g)
                    .sparseGradients()
                    .refuses(s ->
                            List.of(refusal("sub does not take a bool tensor.", s.bools(3), 1)))
                    .refusesSparse()
                    .samples(both(WITH_NUMBER, TYPED_WITH_NUMBER));

    /** Multiply, element by element. */
    @TensorMethod
    public static final OperatorRow MUL =
            differentiable("aten::mul.Tensor(Tensor self, Tensor other)", "MulBackward0")
                    .forward(a -> Elementwise.binary(Binary.MUL, a.tensor(0), a.tensor(1)))
                    .keep(Keep.OTHER_INPUT)
                    .gradient((s, g) -> g.mul(s.input(1)), (s, g) -> g.mul(s.input(0)))
                    .sparse(SparseVariants.MUL)
                    .sparseGradients()
                    .refuses(ErrorSamples.UNLIKE_SHAPES)
                    .samples(both(both(PAIRS, TYPED_PAIRS), BOOL_PAIRS));

    /** Multiply each element by a number. */
    @TensorMethod
    public static final OperatorRow MUL_NUMBER =
            differentiable("aten::mul.Scalar(Tensor self, Scalar other)", "MulBackward0")
                    .forward(a -> Elementwise.binary(Binary.MUL, a.tensor(0), a.number(1)))
                    .gradient((s, g) -> g.mul(s.args().number(1)))
                    .sparse(SparseVariants.MUL_NUMBER)
                    .sparseGradients()
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            ErrorSamples.type("mul.Scalar", "Scalar", "other"),
                                            s.tensor(2),
                                            "2")))
                    .samples(
                            both(
                                    WITH_NUMBER,
                                    s ->
                                            samples(
                                                    args(s.bools(4), 3),
                                                    args(s.ints(4), -2),
                                                    args(s.bools(4), 0.5))));

    /** Divide, element by element; the quotient of integers is float32. */
    @TensorMethod
    public static final OperatorRow DIV =
            differentiable("aten::div.Tensor(Tensor self, Tensor other)", "DivBackward0")
                    .forward(a -> Elementwise.binary(Binary.DIV, a.tensor(0), a.tensor(1)))
                    .keep(Keep.INPUTS)
                    .gradient(
                            (s, g) -> g.div(s.input(1)),
                            (s, g) -> g.mul(s.input(0).div(s.input(1)).div(s.input(1))).neg())
                    .refuses(ErrorSamples.UNLIKE_SHAPES)
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.positive(2, 3)),
                                    args(s.tensor(3), s.positive(2, 1)),
                                    args(s.ints(4), s.ints(4).mul(2).add(1)),
                                    args(s.bools(3), s.positive(2, 1))));

    /** Divide each element by a number; the quotient of integers is float32. */
    @TensorMethod
    public static final OperatorRow DIV_NUMBER =
            differentiable("aten::div.Scalar(Tensor self, Scalar other)", "DivBackward0")
                    .forward(a -> Elementwise.binary(Binary.DIV, a.tensor(0), a.number(1)))
                    .gradient((s, g) -> g.div(s.args().number(1)))
                    .sparse(SparseVariants.DIV_NUMBER)
                    .sparseGradients()
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            ErrorSamples.type("div.Scalar", "Scalar", "other"),
                                            s.tensor(2),
                                            "2")))
                    .samples(WITH_NUMBER);

    /** Negate each element. */
    @TensorMethod
    public static final OperatorRow NEG =
            differentiable("aten::neg(Tensor self)", "NegBackward0")
                    .forward(a -> Elementwise.neg(a.tensor(0)))
                    .gradient((_, g) -> g.neg())
                    .sparse(SparseVariants.NEG)
                    .sparseGradients()
                    .refuses(s -> List.of(refusal("neg does not take a bool tensor.", s.bools(3))))
                    .samples(both(SINGLE, s -> samples(args(s.ints(4)))));

    /** Raise each element to a power. */
    @TensorMethod
    public static final OperatorRow POW =
            differentiable("aten::pow.Tensor_Scalar(Tensor self, Scalar exponent)", "PowBackward0")
                    .forward(a -> Elementwise.pow(a.tensor(0), a.number(1)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) -> powGradient(s.input(0), s.args().number(1), g))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Integers to negative integer powers are not allowed. The exponent is -2",
                                            s.ints(2),
                                            -2)))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), 2),
                                    args(s.tensor(2, 3), 3),
                                    args(s.tensor(4), 0),
                                    args(s.positive(2, 2), 0.5),
                                    args(s.positive(2, 2), -1.5)));

    /** Compute e to the power of each element. */
    @TensorMethod
    public static final OperatorRow EXP =
            differentiable("aten::exp(Tensor self)", "ExpBackward0")
                    .forward(a -> Elementwise.floating(Unary.EXP, a.tensor(0)))
                    .keep(Keep.OUTPUT)
                    .gradient((s, g) -> g.mul(s.output()))
                    .refusesSparse()
                    .samples(SINGLE);

    /** Compute the natural logarithm of each element. */
    @TensorMethod
    public static final OperatorRow LOG =
            differentiable("aten::log(Tensor self)", "LogBackward0")
                    .forward(a -> Elementwise.floating(Unary.LOG, a.tensor(0)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) -> g.div(s.input(0)))
                    .refusesSparse()
                    .samples(POSITIVE);

    /** Compute the cosine of each element. */
    @TensorMethod
    public static final OperatorRow COS =
            differentiable("aten::cos(Tensor self)", "CosBackward0")
                    .forward(a -> Elementwise.floating(Unary.COS, a.tensor(0)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) -> g.mul(s.input(0).sin()).neg())
                    .refusesSparse()
                    .samples(SINGLE);

    /** Compute the sine of each element. */
    @TensorMethod
    public static final OperatorRow SIN =
            differentiable("aten::sin(Tensor self)", "SinBackward0")
                    .forward(a -> Elementwise.floating(Unary.SIN, a.tensor(0)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) -> g.mul(s.input(0).cos()))
                    .refusesSparse()
                    .samples(SINGLE);

    /** Compute the square root of each element. */
    @TensorMethod
    public static final OperatorRow SQRT =
            differentiable("aten::sqrt(Tensor self)", "SqrtBackward0")
                    .forward(a -> Elementwise.floating(Unary.SQRT, a.tensor(0)))
                    .keep(Keep.OUTPUT)
                    .gradient((s, g) -> g.div(s.output().mul(2)))
                    .refusesSparse()
                    .samples(POSITIVE);

    /** Replace negative elements by zero. */
    @TensorMethod
    public static final OperatorRow RELU =
            differentiable("aten::relu(Tensor self)", "ReluBackward0")
                    .forward(a -> Elementwise.relu(a.tensor(0)))
                    .keep(Keep.OUTPUT)
                    .gradient((s, g) -> Elementwise.binary(Binary.RELU_GRADIENT, g, s.output()))
                    .refuses(s ->
                            List.of(refusal("Boolean inputs not supported for relu", s.bools(3))))
                    .refusesSparse()
                    .samples(both(SINGLE, s -> samples(args(s.ints(4)), args(s.longs(4)))));

    /** Compute the hyperbolic tangent of each element. */
    @TensorMethod
    public static final OperatorRow TANH =
            differentiable("aten::tanh(Tensor self)", "TanhBackward0")
                    .forward(a -> Elementwise.floating(Unary.TANH, a.tensor(0)))
                    .keep(Keep.OUTPUT)
                    .gradient((s, g) -> Elementwise.binary(Binary.TANH_GRADIENT, g, s.output()))
                    .refusesSparse()
                    .samples(SINGLE);

    /** Compute {@code 1 / (1 + exp(-x))} of each element. */
    @TensorMethod
    public static final OperatorRow SIGMOID =
            differentiable("aten::sigmoid(Tensor self)", "SigmoidBackward0")
                    .forward(a -> Elementwise.floating(Unary.SIGMOID, a.tensor(0)))
                    .keep(Keep.OUTPUT)
                    .gradient((s, g) -> Elementwise.binary(Binary.SIGMOID_GRADIENT, g, s.output()))
                    .refusesSparse()
                    .samples(SINGLE);

    private ArithmeticRows() {}

    private static Tensor powGradient(Tensor x, Number exponent, Tensor gradient) {
        double power = exponent.doubleValue();
        if (power == 0) {
            return Tensor.zerosLike(gradient);
        }
        return gradient.mul(x.pow(power - 1).mul(power));
    }
}
