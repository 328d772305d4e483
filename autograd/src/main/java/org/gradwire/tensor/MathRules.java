package org.gradwire.tensor;

import org.gradwire.tensor.kernel.Binary;
import org.gradwire.tensor.kernel.Unary;
import org.jspecify.annotations.Nullable;

/**
 * Forward rules of functions of one, two and three numbers, and gradients of more than a line.
 * Those that use other operators do so on detached tensors, as only the row records.
 */
final class MathRules {

    private MathRules() {}

    /** Apply a function that keeps the type; whole numbers are computed as int64. */
    static Tensor unary(Unary function, Tensor x) {
        Promotion.refuseBool(function, x);
        if (x.dtype().isFloating() || x.dtype() == DType.INT64) {
            return Elementwise.unary(function, x);
        }
        return Elementwise.cast(
                Elementwise.unary(function, Elementwise.cast(x, DType.INT64)), x.dtype());
    }

    /** Apply a function whose results are fractions. */
    static Tensor floating(Unary function, Tensor x) {
        return Elementwise.floating(function, x);
    }

    /** Combine two tensors in the type that both promote to; whole numbers as int64. */
    static Tensor binary(Binary function, Tensor a, Tensor b) {
        DType dtype = Promotion.of(function, a, b);
        if (dtype.isFloating() || dtype == DType.INT64) {
            return Elementwise.binary(function, a, b);
        }
        Tensor left = Elementwise.cast(a, DType.INT64);
        Tensor right = Elementwise.cast(b, DType.INT64);
        return Elementwise.cast(Elementwise.binary(function, left, right), dtype);
    }

    /** Combine each element with a number. */
    static Tensor binary(Binary function, Tensor a, Number b) {
        DType dtype = a.dtype().promote(b);
        return binary(function, Elementwise.cast(a, dtype), Tensor.scalar(dtype, b));
    }

    /** Combine two tensors as fractions. */
    static Tensor floating(Binary function, Tensor a, Tensor b) {
        DType dtype = Promotion.of(a, b).orFloating();
        return Elementwise.binary(function, Elementwise.cast(a, dtype), Elementwise.cast(b, dtype));
    }

    /** {@return a tensor that holds fractions; PyTorch has no such kernel for others} */
    static Tensor fractions(String kernel, Tensor x) {
        if (!x.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "\"%s\" not implemented for '%s'; convert the tensor with to(dtype)"
                            .formatted(kernel, x.dtype().tensorType()));
        }
        return x;
    }

    static Tensor clamp(Tensor x, @Nullable Number min, @Nullable Number max) {
        if (min == null && max == null) {
            throw new IllegalArgumentException(
                    "torch.clamp: At least one of 'min' or 'max' must not be None");
        }
        if (min == null || max == null) {
            return max == null ? bounded(Binary.MAX, x, min) : bounded(Binary.MIN, x, max);
        }
        if (isNaN(min) || isNaN(max)) {
            DType dtype = x.dtype().promote(Double.NaN);
            return Tensor.full(dtype, Double.NaN, x.dims);
        }
        DType dtype = x.dtype().promote(min).promote(max);
        Tensor raised = binary(Binary.MAX, Elementwise.cast(x, dtype), min);
        return binary(Binary.MIN, raised, max);
    }

    /** Bound from one side; PyTorch takes no notice of a bound that is no number. */
    private static Tensor bounded(Binary function, Tensor x, @Nullable Number bound) {
        if (bound == null || isNaN(bound)) {
            return Elementwise.cast(
                    Elementwise.copy(x), bound == null ? x.dtype() : x.dtype().promote(bound));
        }
        return binary(function, x, bound);
    }

    private static boolean isNaN(Number number) {
        return Double.isNaN(number.doubleValue());
    }

    /** Return a gradient where an element was within its bounds, which count as within. */
    static Tensor clampGradient(
            Tensor gradient, Tensor x, @Nullable Number min, @Nullable Number max) {
        Tensor kept = gradient;
        if (min != null) {
            kept = Masks.keep(kept, Masks.atLeast(x, min));
        }
        return max == null ? kept : Masks.keep(kept, Masks.atMost(x, max));
    }

    static Tensor hardtanh(Tensor x, Number min, Number max) {
        if (x.dtype() == DType.BOOL) {
            throw new IllegalArgumentException(
                    "Bool inputs not supported for hardtanh; convert the tensor with to(dtype)");
        }
        return binary(Binary.MIN, binary(Binary.MAX, x, bound(x, min)), bound(x, max));
    }

    /** {@return a bound as an element of a tensor: without its fraction among whole numbers} */
    private static Number bound(Tensor x, Number bound) {
        if (x.dtype().isFloating()) {
            return bound;
        }
        Promotion.checkFits(x.dtype(), bound);
        return bound.longValue();
    }

    /** Return a gradient where an element was within its bounds, which count as outside. */
    static Tensor hardtanhGradient(Tensor gradient, Tensor x, Number min, Number max) {
        Tensor outside = Masks.atMost(x, min).add(Masks.atLeast(x, max));
        return Masks.keep(gradient, Masks.same(outside, 0));
    }

    static Tensor pow(Number base, Tensor exponent) {
        DType dtype = exponent.dtype().promote(base);
        return binary(Binary.POW, Tensor.scalar(dtype, base), Elementwise.cast(exponent, dtype));
    }

    static Tensor powBaseGradient(Tensor gradient, Tensor base, Tensor power) {
        Tensor exponent = Elementwise.cast(power, gradient.dtype());
        Tensor slope = exponent.mul(binary(Binary.POW, base, exponent.sub(1)));
        return Masks.keep(gradient.mul(slope), Masks.not(Masks.same(exponent, 0)));
    }

    /** Return the gradient of an exponent, zero where zero is raised to zero or more. */
    static Tensor powExponentGradient(
            Tensor gradient, Tensor power, Tensor exponent, Tensor result) {
        Tensor base = Elementwise.cast(power, result.dtype());
        Tensor flat = Masks.same(base, 0).mul(Masks.atLeast(exponent, 0));
        Tensor slope = Masks.keep(result.mul(base.log()), Masks.not(flat));
        return gradient.mul(slope);
    }

    static Tensor softplus(Tensor x, Number beta, Number threshold) {
        Tensor scaled = fractions("softplus_cpu", x).detach().mul(beta);
        return binary(Binary.SOFTPLUS, scaled, threshold).div(beta);
    }

    static Tensor softplusSlope(Tensor x, Number beta, Number threshold) {
        return binary(Binary.SOFTPLUS_SLOPE, x.mul(beta), threshold);
    }

    /** {@return the function that an approximation of gelu names} */
    static Unary gelu(String approximate, boolean slope) {
        return switch (approximate) {
            case "none" -> slope ? Unary.GELU_SLOPE : Unary.GELU;
            case "tanh" -> slope ? Unary.GELU_TANH_SLOPE : Unary.GELU_TANH;
            default ->
                    throw new IllegalArgumentException(
                            "approximate argument must be either none or tanh; it is '%s'"
                                    .formatted(approximate));
        };
    }

    /** Return what lies between two tensors, from the nearer of the two on. */
    static Tensor lerp(Tensor self, Tensor other, Number weight) {
        Tensor start = lerpOperand(self, self);
        Tensor end = lerpOperand(self, other);
        Tensor way = end.sub(start);
        double part = weight.doubleValue();
        return part < 0.5 ? start.add(way.mul(part)) : end.sub(way.mul(1 - part));
    }

    /** As above, with a weight for each element. */
    static Tensor lerp(Tensor self, Tensor other, Tensor weights) {
        Tensor start = lerpOperand(self, self);
        Tensor end = lerpOperand(self, other);
        Tensor weight = lerpOperand(self, weights);
        Tensor way = end.sub(start);
        Tensor isFar = Masks.atLeast(weight, 0.5);
        Tensor near = Masks.keep(start.add(way.mul(weight)), Masks.not(isFar));
        Tensor far = Masks.keep(end.sub(way.mul(Masks.not(weight))), isFar);
        return near.add(far);
    }

    private static Tensor lerpOperand(Tensor self, Tensor operand) {
        fractions("lerp_kernel_scalar", self);
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
    static Tensor addCombined(Binary function, Tensor self, Tensor a, Tensor b, Number value) {
        DType dtype = checkCombined(function, self, a, b);
        Tensor combined = binary(function, Elementwise.cast(a, dtype), Elementwise.cast(b, dtype));
        Tensor scaled = binary(Binary.MUL, combined, Tensor.scalar(dtype, factor(dtype, value)));
        return binary(Binary.ADD, Elementwise.cast(self, dtype), scaled);
    }

    /** {@return a factor of a product of a type: without its fraction among whole numbers} */
    static Number factor(DType dtype, Number value) {
        Promotion.checkFits(dtype, value);
        return dtype.isFloating() ? value : (Number) value.longValue();
    }

    /** {@return the type in which a product or quotient is computed and added} */
    static DType checkCombined(Binary function, Tensor self, Tensor a, Tensor b) {
        DType dtype = Promotion.of(self, a, b);
        if (dtype == DType.BOOL) {
            throw new IllegalArgumentException(
                    "\"addcmul_cpu_out\" not implemented for 'Bool'; convert a tensor with to(dtype)");
        }
        if (function == Binary.DIV && !a.dtype().isFloating() && !b.dtype().isFloating()) {
            throw new IllegalArgumentException(
                    "Integer division with addcdiv is no longer supported; convert %s or %s with to(dtype)"
                            .formatted(a.describe(), b.describe()));
        }
        return dtype;
    }
}
