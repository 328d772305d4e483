package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.OperatorRow.composite;
import static org.gradwire.tensor.operator.OperatorRow.differentiable;
import static org.gradwire.tensor.operator.OperatorRow.plain;
import static org.gradwire.tensor.operator.sample.ErrorSample.outside;
import static org.gradwire.tensor.operator.sample.ErrorSample.refusal;
import static org.gradwire.tensor.operator.sample.Sampler.args;
import static org.gradwire.tensor.operator.sample.Sampler.samples;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.element.Unary;
import org.gradwire.tensor.operator.Saved.Keep;
import org.gradwire.tensor.operator.annotation.OperatorFamily;
import org.gradwire.tensor.operator.annotation.TensorMethod;
import org.gradwire.tensor.operator.sample.ErrorSamples;
import org.gradwire.tensor.rule.Elementwise;
import org.gradwire.tensor.rule.MathRules;
import org.gradwire.tensor.rule.PoolingRules;
import org.gradwire.tensor.rule.ReductionRules;
import org.gradwire.tensor.storage.Shapes;

import java.util.List;

/** Composite mathematical functions, made of other operators. */
@OperatorFamily
public final class CompositeRows {
    /**
     * Test whether {@code |self - other| <= atol + rtol * |other|}; NaN is close to NaN if {@code
     * equalNan}.
     */
    @TensorMethod({"rtol = 1e-5", "atol = 1e-8", "equalNan = false"})
    public static final OperatorRow ISCLOSE =
            plain(
                            "aten::isclose(Tensor self, Tensor other, float rtol, float atol, boolean equal_nan)")
                    .forward(a -> isclose(a))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "isclose: rtol and atol must be at least 0, got -1.0 and 0.0",
                                            s.tensor(2),
                                            s.tensor(2),
                                            -1.0,
                                            0.0,
                                            false)))
                    .samples(s ->
                            samples(
                                    args(
                                            Tensor.of(1.0, 2, Double.NaN, Double.POSITIVE_INFINITY),
                                            Tensor.of(
                                                    1.0000001,
                                                    3,
                                                    Double.NaN,
                                                    Double.POSITIVE_INFINITY),
                                            1e-5,
                                            1e-8,
                                            true),
                                    args(
                                            Tensor.of(1.0, Double.NaN, 5),
                                            Tensor.of(1.1, Double.NaN, Double.NEGATIVE_INFINITY),
                                            0.2,
                                            0.,
                                            false),
                                    args(s.longs(3), s.longs(3), 0.5, 0., false)));

    /** Count the elements that are not zero, over dimensions; none mean all. */
    @TensorMethod
    public static final OperatorRow COUNT_NONZERO =
            plain("aten::count_nonzero.dim_IntList(Tensor self, int[] dim)")
                    .forward(a -> ReductionRules.sum(a.tensor(0).ne(0), a.integers(1), false))
                    .refuses(s ->
                            List.of(
                                    outside(
                                            ErrorSamples.range(-2, 1, 2),
                                            s.longs(2, 3),
                                            new int[] {2})))
                    .samples(s ->
                            samples(
                                    args(s.longs(2, 5), new int[] {1}),
                                    args(s.longs(2, 5), new int[] {}),
                                    args(s.bools(2, 3, 2), new int[] {0, 2})));

    /** Compute 2 to the power of each element. */
    @TensorMethod
    public static final OperatorRow EXP2 =
            composite("aten::exp2(Tensor self)")
                    .roundsOnce()
                    .forward(a ->
                            Ops.pow(2, a.tensor(0).to(DTypeAccess.orFloating(a.tensor(0).dtype()))))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3)), args(s.transposed(3, 4))));

    /** Compute the fractional part of each element, with its sign. */
    @TensorMethod
    public static final OperatorRow FRAC =
            composite("aten::frac(Tensor self)")
                    .roundsOnce()
                    .forward(a -> {
                        PoolingRules.checkFloating("frac", a.tensor(0));
                        return a.tensor(0).sub(a.tensor(0).detach().trunc());
                    })
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3).detach().mul(5).requiresGrad(true))));

    /** Compute {@code 1 - erf(x)}. */
    @TensorMethod
    public static final OperatorRow ERFC =
            differentiable("aten::erfc(Tensor self)", "ErfcBackward0")
                    .forward(a -> MathRules.floating(Unary.ERFC, a.tensor(0)))
                    .keep(Keep.INPUTS)
                    .gradient((s, g) ->
                            g.mul(s.input(0).square().neg().exp()).mul(-2 / Math.sqrt(Math.PI)))
                    .refusesSparse()
                    .samples(s -> samples(args(s.tensor(2, 3)), args(s.transposed(3, 4))));

    /** Compute {@code log(exp(self) + exp(other))}, also where a power is too large. */
    @TensorMethod
    public static final OperatorRow LOGADDEXP =
            differentiable("aten::logaddexp(Tensor self, Tensor other)", "LogaddexpBackward0")
                    .forward(a -> logaddexp(a.tensor(0).detach(), a.tensor(1).detach()))
                    .keep(Keep.INPUTS)
                    .gradient(
                            (s, g) -> g.mul(s.input(0).sub(s.input(1)).sigmoid()),
                            (s, g) -> g.mul(s.input(1).sub(s.input(0)).sigmoid()))
                    .refuses(ErrorSamples.UNLIKE_SHAPES)
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.tensor(3)),
                                    args(s.tensor(2, 3), s.transposed(2, 3)),
                                    args(
                                            Tensor.of(800.0, 1, Double.NEGATIVE_INFINITY),
                                            Tensor.of(-800.0, 1, Double.NEGATIVE_INFINITY))));

    /**
     * Compute {@code self * log(other)}; 0 where {@code self} is 0, unless {@code other} is NaN.
     */
    public static final OperatorRow XLOGY =
            differentiable("aten::xlogy.Tensor(Tensor self, Tensor other)", "XlogyBackward0")
                    .forward(a -> xlogy(a.tensor(0).detach(), a.tensor(1).detach()))
                    .keep(Keep.INPUTS)
                    .gradient(
                            (s, g) ->
                                    xlogy(g, s.input(1))
                                            .maskedFill(
                                                    s.input(0).eq(0).logicalAnd(s.input(1).le(0)),
                                                    0),
                            (s, g) -> g.mul(s.input(0)).div(s.input(1)))
                    .refuses(ErrorSamples.UNLIKE_SHAPES)
                    .samples(s ->
                            samples(
                                    args(s.positive(2, 3), s.positive(3)),
                                    args(Tensor.of(0.0, 0, 2), Tensor.of(0.0, Double.NaN, 3))));

    /**
     * Replace NaN and infinities by numbers; by 0 and the largest and smallest of the type where
     * none is given.
     */
    @TensorMethod({"nan = null", "posinf = null", "neginf = null"})
    public static final OperatorRow NAN_TO_NUM =
            composite("aten::nan_to_num(Tensor self, float? nan, float? posinf, float? neginf)")
                    .forward(a -> nanToNum(a))
                    .refusesSparse()
                    .samples(s ->
                            samples(
                                    args(Tensor.of(1.5, Double.NaN), null, null, null),
                                    args(
                                            Tensor.of(
                                                    1.5,
                                                    Double.NaN,
                                                    Double.POSITIVE_INFINITY,
                                                    Double.NEGATIVE_INFINITY),
                                            -1.0,
                                            7.0,
                                            -7.0),
                                    args(s.tensor(2, 3), null, null, null),
                                    args(s.longs(3), 1.0, 2.0, 3.0)));

    /** Compute the {@code n}-th order differences along a dimension. */
    @TensorMethod("n = 1")
    public static final OperatorRow DIFF =
            composite("aten::diff(Tensor self, int n, int dim)")
                    .forward(a -> diff(a.tensor(0), a.integer(1), a.integer(2)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "diff expects input to be at least one-dimensional",
                                            s.tensor(),
                                            1,
                                            0)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 5), 1, -1),
                                    args(s.tensor(4, 2), 2, 0),
                                    args(s.longs(5), 1, 0),
                                    args(s.tensor(2, 2), 3, 0)));

    /** Sum the diagonal of a matrix. */
    @TensorMethod
    public static final OperatorRow TRACE =
            composite("aten::trace(Tensor self)")
                    .forward(a -> trace(a.tensor(0)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "trace: expected a matrix, but got tensor with dim 1",
                                            s.tensor(2))))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3)),
                                    args(s.transposed(3, 4)),
                                    args(s.longs(2, 2))));

    /** Compute the p-norm of the difference of two tensors. */
    public static final OperatorRow DIST =
            composite("aten::dist(Tensor self, Tensor other, Scalar p)")
                    .roundsOnce()
                    .forward(a -> a.tensor(0).sub(a.tensor(1)).norm(a.number(2)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "The size of tensor a (3) must match the size of tensor b (4) at non-singleton dimension 1",
                                            s.tensor(2, 3),
                                            s.tensor(4),
                                            2)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.tensor(3), 2),
                                    args(s.tensor(4), s.tensor(4), 1)));

    /**
     * Compute the p-norm of the difference of each row of {@code x1} and each row of {@code x2}.
     */
    public static final OperatorRow CDIST =
            composite("aten::cdist(Tensor x1, Tensor x2, float p)")
                    .roundsOnce()
                    .forward(a -> cdist(a.tensor(0), a.tensor(1), a.real(2)))
                    .refuses(s ->
                            List.of(
                                    refusal(
                                            "cdist: X1 and X2 must have the same number of columns. X1: 3 X2: 2",
                                            s.tensor(2, 3),
                                            s.tensor(4, 2),
                                            2.0)))
                    .samples(s ->
                            samples(
                                    args(s.tensor(2, 3), s.tensor(4, 3), 2.0),
                                    args(s.tensor(2, 2, 3), s.tensor(2, 4, 3), 1.0),
                                    args(s.tensor(2, 3), s.tensor(4, 3), 3.0)));

    private CompositeRows() {}

    private static Tensor isclose(Args args) {
        double rtol = args.real(2);
        double atol = args.real(3);
        if (!(rtol >= 0 && atol >= 0)) {
            throw new IllegalArgumentException(
                    "isclose: rtol and atol must be at least 0, got %s and %s"
                            .formatted(rtol, atol));
        }
        if (args.tensor(0).dtype() != args.tensor(1).dtype()) {
            throw new IllegalArgumentException(
                    "%s did not match %s"
                            .formatted(args.tensor(0).dtype(), args.tensor(1).dtype()));
        }
        Tensor self = fractions(args.tensor(0));
        Tensor other = fractions(args.tensor(1));
        Tensor most = other.abs().mul(rtol).add(atol);
        Tensor distance = self.sub(other).abs();
        Tensor near = distance.le(most).logicalAnd(distance.isfinite());
        Tensor close = self.eq(other).logicalOr(near);
        return args.flag(4) ? close.logicalOr(self.isnan().logicalAnd(other.isnan())) : close;
    }

    private static Tensor fractions(Tensor x) {
        return x.dtype().isFloating() ? x.detach() : Elementwise.cast(x, DType.FLOAT64);
    }

    private static Tensor logaddexp(Tensor first, Tensor second) {
        DType dtype = Promotion.of(first, second);
        Tensor self = first.to(dtype);
        PoolingRules.checkFloating("logaddexp", self);
        Tensor other = second.to(dtype);
        Tensor largest = self.maximum(other);
        Tensor distance = self.sub(other).abs();
        Tensor sum = largest.add(distance.neg().exp().log1p());
        return largest.where(self.eq(other).logicalAnd(self.isinf()), sum);
    }

    private static Tensor xlogy(Tensor self, Tensor second) {
        Tensor other = second.to(DTypeAccess.orFloating(Promotion.of(self, second)));
        Tensor zero = self.eq(0).logicalAnd(other.isnan().logicalNot());
        Tensor factor = other.maskedFill(zero, 1);
        return self.mul(factor.log());
    }

    private static Tensor nanToNum(Args args) {
        Tensor x = args.tensor(0);
        if (!x.dtype().isFloating()) {
            return x.copy();
        }
        double largest = x.dtype() == DType.FLOAT32 ? Float.MAX_VALUE : Double.MAX_VALUE;
        return x.maskedFill(x.isnan(), number(args, 1, 0))
                .maskedFill(x.eq(Double.POSITIVE_INFINITY), number(args, 2, largest))
                .maskedFill(x.eq(Double.NEGATIVE_INFINITY), number(args, 3, -largest));
    }

    private static double number(Args args, int index, double otherwise) {
        Object value = args.values()[index];
        return value == null ? otherwise : args.real(index);
    }

    private static Tensor diff(Tensor x, int n, int dim) {
        if (TensorAccess.dims(x).length == 0) {
            throw new IllegalArgumentException("diff expects input to be at least one-dimensional");
        }
        if (n < 0) {
            throw new IllegalArgumentException("order must be non-negative but got " + n);
        }
        int d = Shapes.dimension(dim, TensorAccess.dims(x).length);
        Tensor result = x;
        for (int i = 0; i < n && TensorAccess.dims(result)[d] > 0; i++) {
            int rest = TensorAccess.dims(result)[d] - 1;
            Tensor later = result.narrow(d, 1, rest);
            Tensor earlier = result.narrow(d, 0, rest);
            result = x.dtype() == DType.BOOL ? later.logicalXor(earlier) : later.sub(earlier);
        }
        return n == 0 ? x.copy() : result;
    }

    private static Tensor trace(Tensor x) {
        if (TensorAccess.dims(x).length != 2) {
            throw new IllegalArgumentException(
                    "trace: expected a matrix, but got tensor with dim "
                            + TensorAccess.dims(x).length);
        }
        return x.diagonal().sum();
    }

    private static Tensor cdist(Tensor x1, Tensor x2, double p) {
        if (!(p >= 0)) {
            throw new IllegalArgumentException(
                    "cdist only supports non-negative p values, got " + p);
        }
        int columns =
                TensorAccess.dims(x1).length < 2
                        ? -1
                        : TensorAccess.dims(x1)[TensorAccess.dims(x1).length - 1];
        int others =
                TensorAccess.dims(x2).length < 2
                        ? -1
                        : TensorAccess.dims(x2)[TensorAccess.dims(x2).length - 1];
        if (columns < 0 || columns != others) {
            throw new IllegalArgumentException(
                    "cdist: X1 and X2 must have the same number of columns. X1: %d X2: %d"
                            .formatted(columns, others));
        }
        return x1.unsqueeze(-2).sub(x2.unsqueeze(-3)).norm(p, new int[] {-1}, false);
    }
}
