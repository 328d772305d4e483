package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Unary;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.MathRules;

import java.util.List;

/** Activation functions. */
@OperatorFamily
public final class ActivationRows {

    /**
     * Compute {@code x * P(X <= x)} of each element, X being normally distributed.
     *
     * @param approximate {@code none}, or {@code tanh} for a faster approximation
     */
    @TensorMethod
    @TensorMethod("approximate = none")
    public static final OperatorRow GELU =
            differentiable("aten::gelu(Tensor self, String approximate)", "GeluBackward0")
                    .forward(a ->
                            Elementwise.unary(
                                    MathRules.gelu(a.text(1), false),
                                    MathRules.fractions("GeluKernelImpl", a.tensor(0))))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            g.mul(
                                    Elementwise.unary(
                                            MathRules.gelu(s.args().text(1), true), s.input(0))))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "approximate argument must be either none or tanh; it is 'fast'",
                                            s.tensor(2),
                                            "fast"),
                                    refusal(
                                            "\"GeluKernelImpl\" not implemented for 'Long'",
                                            s.longs(2),
                                            "none")))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), "none"),
                                    args(s.transposed(3, 2), "none"),
                                    args(s.tensor(2, 3), "tanh"),
                                    args(s.positive(), "tanh")));

    /** Compute {@code x * sigmoid(x)} of each element. */
    @TensorMethod
    public static final OperatorRow SILU =
            differentiable("aten::silu(Tensor self)", "SiluBackward0")
                    .forward(a ->
                            Elementwise.unary(Unary.SILU, MathRules.fractions("silu", a.tensor(0))))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) -> g.mul(Elementwise.unary(Unary.SILU_SLOPE, s.input(0))))
                    .refuses(s ->
                            List.of(refusal("\"silu\" not implemented for 'Long'", s.longs(2))))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3)), args(s.transposed(3, 2))));

    /**
     * Compute {@code log(1 + exp(beta * x)) / beta} of each element; x itself where {@code beta *
     * x} is above the threshold.
     */
    @TensorMethod
    @TensorMethod({"beta = 1", "threshold = 20"})
    public static final OperatorRow SOFTPLUS =
            differentiable(
                            "aten::softplus(Tensor self, Scalar beta, Scalar threshold)",
                            "SoftplusBackward0")
                    .forward(a -> MathRules.softplus(a.tensor(0), a.number(1), a.number(2)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            g.mul(
                                    MathRules.softplusSlope(
                                            s.input(0), s.args().number(1), s.args().number(2))))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "\"softplus\" not implemented for 'Long'",
                                            s.longs(2),
                                            1,
                                            20)))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), 1, 20),
                                    args(s.tensor(2, 3), 2.5, 1),
                                    args(s.transposed(3, 2), 1, 20)));

    /** Multiply negative elements by a slope. */
    @TensorMethod
    public static final OperatorRow LEAKY_RELU =
            differentiable(
                            "aten::leaky_relu(Tensor self, Scalar negative_slope)",
                            "LeakyReluBackward0")
                    .forward(a ->
                            MathRules.binary(
                                    Binary.LEAKY_RELU,
                                    MathRules.fractions("leaky_relu", a.tensor(0)),
                                    a.number(1)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            g.mul(
                                    MathRules.binary(
                                            Binary.LEAKY_SLOPE, s.input(0), s.args().number(1))))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "\"leaky_relu\" not implemented for 'Long'",
                                            s.longs(2),
                                            0.01)))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), 0.01),
                                    args(s.tensor(2, 3), -2),
                                    args(s.transposed(3, 2), 0.5)));

    /** Replace negative elements by {@code alpha * (exp(x) - 1)}. */
    @TensorMethod
    public static final OperatorRow ELU =
            differentiable("aten::elu(Tensor self, Scalar alpha)", "EluBackward0")
                    .forward(a ->
                            MathRules.binary(
                                    Binary.ELU,
                                    MathRules.fractions("elu", a.tensor(0)),
                                    a.number(1)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            g.mul(
                                    MathRules.binary(
                                            Binary.ELU_SLOPE, s.input(0), s.args().number(1))))
                    .refuses(s ->
                            List.of(refusal("\"elu\" not implemented for 'Long'", s.longs(2), 1)))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3), 1), args(s.transposed(3, 2), 0.7)));

    /** Clamp elements to bounds; at the bounds and outside the gradient is zero. */
    @TensorMethod
    public static final OperatorRow HARDTANH =
            differentiable(
                            "aten::hardtanh(Tensor self, Scalar min_val, Scalar max_val)",
                            "HardtanhBackward0")
                    .forward(a -> MathRules.hardtanh(a.tensor(0), a.number(1), a.number(2)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            MathRules.hardtanhGradient(
                                    g, s.input(0), s.args().number(1), s.args().number(2)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "Bool inputs not supported for hardtanh",
                                            s.bools(2),
                                            -1,
                                            1)))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), -0.5, 0.5),
                                    args(s.transposed(3, 2), -1, 1)));

    private ActivationRows() {}
}
