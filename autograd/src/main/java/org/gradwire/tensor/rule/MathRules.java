package org.gradwire.tensor.rule;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.access.DTypeAccess;
import org.gradwire.tensor.access.TensorAccess;
import org.gradwire.tensor.kernel.element.Binary;
import org.gradwire.tensor.kernel.element.Unary;
import org.gradwire.tensor.operator.Promotion;
import org.jspecify.annotations.Nullable;

/**
 * Forward rules of functions of one, two and three numbers, and gradients of more than a line.
 * Those that use other operators do so on detached tensors, as only the row records.
 */
public final class MathRules {

    private MathRules() {}

    /** Apply a function that keeps the type; integers are computed as int64. */
    public static Tensor unary(Unary function, Tensor x) {
        Promotion.refuseBool(function, x);
        if (x.dtype().isFloating() || x.dtype() == DType.INT64) {
            return Elementwise.unary(function, x);
        }
        return Elementwise.cast(
                Elementwise.unary(function, Elementwise.cast(x, DType.INT64)), x.dtype());
    }

    /** Apply a function with floating-point results. */
    public static Tensor floating(Unary function, Tensor x) {
        return Elementwise.floating(function, x);
    }

    /** Apply a binary function in the promoted type; integers as int64. */
    public static Tensor binary(Binary function, Tensor a, Tensor b) {
        DType dtype = Promotion.of(function, a, b);
        if (dtype.isFloating() || dtype == DType.INT64) {
            return Elementwise.binary(function, a, b);
        }
        Tensor left = Elementwise.cast(a, DType.INT64);
        Tensor right = Elementwise.cast(b, DType.INT64);
        return Elementwise.cast(Elementwise.binary(function, left, right), dtype);
    }

    /** Apply a binary function to each element and a number. */
    public static Tensor binary(Binary function, Tensor a, Number b) {
        DType dtype = DTypeAccess.promote(a.dtype(), b);
        return binary(function, Elementwise.cast(a, dtype), Factories.number(dtype, b));
    }

    /** Apply a binary function in a floating-point type. */
    public static Tensor floating(Binary function, Tensor a, Tensor b) {
        DType dtype = DTypeAccess.orFloating(Promotion.of(a, b));
        return Elementwise.binary(function, Elementwise.cast(a, dtype), Elementwise.cast(b, dtype));
    }

    /** {@return a tensor of a floating-point type; PyTorch has no such kernel for others} */
    public static Tensor fractions(String kernel, Tensor x) {
        if (!x.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "\"%s\" not implemented for '%s'; convert the tensor with to(dtype)"
                            .formatted(kernel, DTypeAccess.tensorType(x.dtype())));
        }
        return x;
    }

    public static Tensor clamp(Tensor x, @Nullable Number min, @Nullable Number max) {
        if (min == null && max == null) {
            throw new IllegalArgumentException(
                    "clamp: at least one of min and max must not be null");
        }
        if (min == null || max == null) {
            return max == null ? bounded(Binary.MAX, x, min) : bounded(Binary.MIN, x, max);
        }
        if (isNaN(min) || isNaN(max)) {
            DType dtype = DTypeAccess.promote(x.dtype(), Double.NaN);
            return Tensor.full(dtype, Double.NaN, TensorAccess.dims(x));
        }
        DType dtype = DTypeAccess.promote(DTypeAccess.promote(x.dtype(), min), max);
        Tensor raised = binary(Binary.MAX, Elementwise.cast(x, dtype), min);
        return binary(Binary.MIN, raised, max);
    }

    /** Clamp from one side; PyTorch ignores a NaN bound. */
    private static Tensor bounded(Binary function, Tensor x, @Nullable Number bound) {
        if (bound == null || isNaN(bound)) {
            return Elementwise.cast(
                    Elementwise.copy(x),
                    bound == null ? x.dtype() : DTypeAccess.promote(x.dtype(), bound));
        }
        return binary(function, x, bound);
    }

    private static boolean isNaN(Number number) {
        return Double.isNaN(number.doubleValue());
    }

    /** Return a gradient where an element was within its bounds, which count as within. */
    public static Tensor clampGradient(
            Tensor gradient, Tensor x, @Nullable Number min, @Nullable Number max) {
        Tensor kept = gradient;
        if (min != null) {
            kept = Indicators.keep(kept, Indicators.atLeast(x, min));
        }
        return max == null ? kept : Indicators.keep(kept, Indicators.atMost(x, max));
    }

    public static Tensor hardtanh(Tensor x, Number min, Number max) {
        if (x.dtype() == DType.BOOL) {
            throw new IllegalArgumentException(
                    "Bool inputs not supported for hardtanh; convert the tensor with to(dtype)");
        }
        return binary(Binary.MIN, binary(Binary.MAX, x, bound(x, min)), bound(x, max));
    }

    /** {@return a bound as an element of a tensor: without its fraction among integers} */
    private static Number bound(Tensor x, Number bound) {
        if (x.dtype().isFloating()) {
            return bound;
        }
        Promotion.checkFits(x.dtype(), bound);
        return bound.longValue();
    }

    /** Return a gradient where an element was within its bounds, which count as outside. */
    public static Tensor hardtanhGradient(Tensor gradient, Tensor x, Number min, Number max) {
        Tensor outside = Indicators.atMost(x, min).add(Indicators.atLeast(x, max));
        return Indicators.keep(gradient, Indicators.same(outside, 0));
    }

    public static Tensor pow(Number base, Tensor exponent) {
        DType dtype = DTypeAccess.promote(exponent.dtype(), base);
        return binary(Binary.POW, Tensor.scalar(dtype, base), Elementwise.cast(exponent, dtype));
    }

    public static Tensor powBaseGradient(Tensor gradient, Tensor base, Tensor power) {
        Tensor exponent = Elementwise.cast(power, gradient.dtype());
        Tensor slope = exponent.mul(binary(Binary.POW, base, exponent.sub(1)));
        return Indicators.keep(gradient.mul(slope), Indicators.not(Indicators.same(exponent, 0)));
    }

    /** Return the gradient of an exponent, zero where zero is raised to zero or more. */
    public static Tensor powExponentGradient(
            Tensor gradient, Tensor power, Tensor exponent, Tensor result) {
        Tensor base = Elementwise.cast(power, result.dtype());
        Tensor flat = Indicators.same(base, 0).mul(Indicators.atLeast(exponent, 0));
        Tensor slope = Indicators.keep(result.mul(base.log()), Indicators.not(flat));
        return gradient.mul(slope);
    }

    public static Tensor softplus(Tensor x, Number beta, Number threshold) {
        Tensor scaled = fractions("softplus", x).detach().mul(beta);
        return binary(Binary.SOFTPLUS, scaled, threshold).div(beta);
    }

    public static Tensor softplusSlope(Tensor x, Number beta, Number threshold) {
        return binary(Binary.SOFTPLUS_SLOPE, x.mul(beta), threshold);
    }

    /** {@return the function that an approximation of gelu names} */
    public static Unary gelu(String approximate, boolean slope) {
        return switch (approximate) {
            case "none" -> slope ? Unary.GELU_SLOPE : Unary.GELU;
            case "tanh" -> slope ? Unary.GELU_TANH_SLOPE : Unary.GELU_TANH;
            default ->
                    throw new IllegalArgumentException(
                            "approximate argument must be either none or tanh; it is '%s'"
                                    .formatted(approximate));
        };
    }

    /** Return the linear interpolation of two tensors, computed from the nearer one. */
    public static Tensor lerp(Tensor self, Tensor other, Number weight) {
        Tensor start = lerpOperand(self, self);
        Tensor end = lerpOperand(self, other);
        Tensor way = end.sub(start);
        double part = weight.doubleValue();
        return part < 0.5 ? start.add(way.mul(part)) : end.sub(way.mul(1 - part));
    }

    /** As above, with a weight for each element. */
    public static Tensor lerp(Tensor self, Tensor other, Tensor weights) {
        Tensor start = lerpOperand(self, self);
        Tensor end = lerpOperand(self, other);
        Tensor weight = lerpOperand(self, weights);
        Tensor way = end.sub(start);
        Tensor isFar = Indicators.atLeast(weight, 0.5);
        Tensor near = Indicators.keep(start.add(way.mul(weight)), Indicators.not(isFar));
        Tensor far = Indicators.keep(end.sub(way.mul(Indicators.not(weight))), isFar);
        return near.add(far);
    }

    private static Tensor lerpOperand(Tensor self, Tensor operand) {
        fractions("lerp", self);
        if (self.dtype() != operand.dtype()) {
            throw new IllegalArgumentException(
                    "expected dtype %s for `end` and `weight` but got dtype %s"
                            .formatted(self.dtype(), operand.dtype()));
        }
        return operand.detach();
    }

    /**
     * Return {@code self + value * a * b}, or with a quotient, computed in the type that all three
     * promote to.
     */
    public static Tensor addCombined(
            Binary function, Tensor self, Tensor a, Tensor b, Number value) {
        DType dtype = checkCombined(function, self, a, b);
        Tensor combined = binary(function, Elementwise.cast(a, dtype), Elementwise.cast(b, dtype));
        Tensor scaled = binary(Binary.MUL, combined, Tensor.scalar(dtype, factor(dtype, value)));
        return binary(Binary.ADD, Elementwise.cast(self, dtype), scaled);
    }

    /** {@return a factor of a product of a type: without its fraction among integers} */
    static Number factor(DType dtype, Number value) {
        Promotion.checkFits(dtype, value);
        return dtype.isFloating() ? value : (Number) value.longValue();
    }

    /** {@return the type in which a product or quotient is computed and added} */
    static DType checkCombined(Binary function, Tensor self, Tensor a, Tensor b) {
        DType dtype = Promotion.of(self, a, b);
        if (dtype == DType.BOOL) {
            throw new IllegalArgumentException(
                    "\"%s\" not implemented for 'Bool'; convert a tensor with to(dtype)"
                            .formatted(function == Binary.DIV ? "addcdiv" : "addcmul"));
        }
        if (function == Binary.DIV && !a.dtype().isFloating() && !b.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "Integer division with addcdiv is no longer supported; convert %s or %s with to(dtype)"
                            .formatted(TensorAccess.describe(a), TensorAccess.describe(b)));
        }
        return dtype;
    }
}
