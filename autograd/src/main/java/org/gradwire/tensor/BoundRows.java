package org.gradwire.tensor;

import static org.gradwire.tensor.OperatorRow.differentiable;
import static org.gradwire.tensor.Refusal.refusal;
import static org.gradwire.tensor.Sampler.args;
import static org.gradwire.tensor.Sampler.samples;

import org.gradwire.tensor.OperatorRow.Samples;
import org.gradwire.tensor.Saved.Keep;
import org.gradwire.tensor.kernel.Binary;

import java.util.List;

/** Operators that keep elements within bounds, of numbers or of another tensor. */
final class BoundRows {
    private static final Samples PAIRS =
            s ->
                    samples(
                            args(s.tensor(2, 3), s.tensor(2, 3)),
                            args(s.tensor(2, 1, 3), s.tensor(4, 1)),
                            args(s.tensor(3), s.tensor()),
                            args(s.transposed(3, 2), s.tensor(3, 2)));

    static final OperatorRow CLAMP =
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
                                            "torch.clamp: At least one of 'min' or 'max' must not be None",
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

    static final OperatorRow CLAMP_MIN =
            differentiable("aten::clamp_min(Tensor self, Scalar min)", "ClampMinBackward0")
                    .forward(a -> MathRules.binary(Binary.MAX, a.tensor(0), a.number(1)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            MathRules.clampGradient(g, s.input(0), s.args().number(1), null))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3), 0.1), args(s.tensor(4), 0)));

    static final OperatorRow CLAMP_MAX =
            differentiable("aten::clamp_max(Tensor self, Scalar max)", "ClampMaxBackward0")
                    .forward(a -> MathRules.binary(Binary.MIN, a.tensor(0), a.number(1)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            MathRules.clampGradient(g, s.input(0), null, s.args().number(1)))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3), 0.1), args(s.tensor(4), 0)));

    static final OperatorRow MAXIMUM =
            differentiable("aten::maximum(Tensor self, Tensor other)", "MaximumBackward0")
                    .forward(a -> MathRules.binary(Binary.MAX, a.tensor(0), a.tensor(1)))
                    .keep(Keep.INPUTS)
                    .gradient(
                            (s, g) -> share(g, Binary.MAX_SHARE, s.input(0), s.input(1)),
                            (s, g) -> share(g, Binary.MAX_SHARE, s.input(1), s.input(0)))
                    .refuses(Refusals.UNLIKE_SHAPES)
                    .refusesSparse()
                    .samples(PAIRS);

    static final OperatorRow MINIMUM =
            differentiable("aten::minimum(Tensor self, Tensor other)", "MinimumBackward0")
                    .forward(a -> MathRules.binary(Binary.MIN, a.tensor(0), a.tensor(1)))
                    .keep(Keep.INPUTS)
                    .gradient(
                            (s, g) -> share(g, Binary.MIN_SHARE, s.input(0), s.input(1)),
                            (s, g) -> share(g, Binary.MIN_SHARE, s.input(1), s.input(0)))
                    .refuses(Refusals.UNLIKE_SHAPES)
                    .refusesSparse()
                    .samples(PAIRS);

    static final List<OperatorRow> ALL = List.of(CLAMP, CLAMP_MIN, CLAMP_MAX, MAXIMUM, MINIMUM);

    private BoundRows() {}

    /** Return the part of a gradient that belongs to the first of two operands. */
    private static Tensor share(Tensor gradient, Binary part, Tensor first, Tensor second) {
        Tensor share = Elementwise.binary(part, first, second);
        return Masks.keep(gradient.mul(share), share);
    }
}
