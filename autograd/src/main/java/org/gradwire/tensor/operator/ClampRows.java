package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.operator.OperatorRow.Samples;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.operator.sample.ErrorSamples;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.Indicators;
import org.gradwire.tensor.rule.MathRules;

import java.util.List;

/** Clamps, and elementwise maximum and minimum. */
@OperatorFamily
public final class ClampRows {
    private static final Samples PAIRS =
            s ->
                    samples(
                            args(s.tensor(2, 3), s.tensor(2, 3)),
                            args(s.tensor(2, 1, 3), s.tensor(4, 1)),
                            args(s.tensor(3), s.tensor()),
                            args(s.transposed(3, 2), s.tensor(3, 2)));

    /** Clamp elements to bounds, of which one may be null; the upper bound takes precedence. */
    @TensorMethod
    public static final OperatorRow CLAMP =
            differentiable("aten::clamp(Tensor self, Scalar? min, Scalar? max)", "ClampBackward1")
                    .forward(a ->
                            MathRules.clamp(a.tensor(0), a.optionalNumber(1), a.optionalNumber(2)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            MathRules.clampGradient(
                                    g,
                                    s.input(0),
                                    s.args().optionalNumber(1),
                                    s.args().optionalNumber(2)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "clamp: at least one of min and max must not be null",
                                            s.tensor(2),
                                            null,
                                            null)))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), -0.5, 0.5),
                                    args(s.transposed(3, 2), null, 0.25),
                                    args(s.tensor(4), 0, null),
                                    args(s.tensor(4), 0.5, -0.5)));

    /** Replace elements that are smaller than a bound by it; all by NaN where it is NaN. */
    @TensorMethod
    public static final OperatorRow CLAMP_MIN =
            differentiable("aten::clamp_min(Tensor self, Scalar min)", "ClampMinBackward0")
                    .forward(a -> MathRules.binary(Binary.MAX, a.tensor(0), a.number(1)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            MathRules.clampGradient(g, s.input(0), s.args().number(1), null))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3), 0.1), args(s.tensor(4), 0)));

    /** Replace elements that are larger than a bound by it; all by NaN where it is NaN. */
    @TensorMethod
    public static final OperatorRow CLAMP_MAX =
            differentiable("aten::clamp_max(Tensor self, Scalar max)", "ClampMaxBackward0")
                    .forward(a -> MathRules.binary(Binary.MIN, a.tensor(0), a.number(1)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            MathRules.clampGradient(g, s.input(0), null, s.args().number(1)))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3), 0.1), args(s.tensor(4), 0)));

    /**
     * Take the larger of each pair of elements; equal ones share the gradient. Positive zero is the
     * larger of two zeros, and NaN wins.
     */
    @TensorMethod
    public static final OperatorRow MAXIMUM =
            differentiable("aten::maximum(Tensor self, Tensor other)", "MaximumBackward0")
                    .forward(a -> MathRules.binary(Binary.MAX, a.tensor(0), a.tensor(1)))
                    .keep(Keep.INPUTS)
                    .gradient(
                            (s, g) -> share(g, Binary.MAX_SHARE, s.input(0), s.input(1)),
                            (s, g) -> share(g, Binary.MAX_SHARE, s.input(1), s.input(0)))
                    .refuses(ErrorSamples.UNLIKE_SHAPES)
                    .refusesSparse()
                    .samples(PAIRS);

    /**
     * Take the smaller of each pair of elements; equal ones share the gradient. Negative zero is
     * the smaller of two zeros, and NaN wins.
     */
    @TensorMethod
    public static final OperatorRow MINIMUM =
            differentiable("aten::minimum(Tensor self, Tensor other)", "MinimumBackward0")
                    .forward(a -> MathRules.binary(Binary.MIN, a.tensor(0), a.tensor(1)))
                    .keep(Keep.INPUTS)
                    .gradient(
                            (s, g) -> share(g, Binary.MIN_SHARE, s.input(0), s.input(1)),
                            (s, g) -> share(g, Binary.MIN_SHARE, s.input(1), s.input(0)))
                    .refuses(ErrorSamples.UNLIKE_SHAPES)
                    .refusesSparse()
                    .samples(PAIRS);

    private ClampRows() {}

    /** Return the gradient of the first of two operands. */
    private static Tensor share(Tensor gradient, Binary part, Tensor first, Tensor second) {
        Tensor share = Elementwise.binary(part, first, second);
        return Indicators.keep(gradient.mul(share), share);
    }
}
