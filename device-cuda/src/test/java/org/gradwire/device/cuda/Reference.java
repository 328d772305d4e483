package org.gradwire.device.cuda;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;
import java.util.function.LongBinaryOperator;

/** The kernels of elements, in Java. Functions of one number ignore the second. */
final class Reference {
    private static final double SCALE = Math.sqrt(2 / Math.PI);

    static final Map<String, DoubleBinaryOperator> FLOATING = new HashMap<>();
    static final Map<String, LongBinaryOperator> WHOLE = new HashMap<>();

    static {
        arithmetic();
        functions();
        activations();
        parametric();
        comparisons();
        whole();
    }

    private Reference() {}

    /** {@return the function of floating-point numbers} */
    static DoubleBinaryOperator floating(String name) {
        return Objects.requireNonNull(FLOATING.get(name), name);
    }

    /** {@return the function of integers} */
    static LongBinaryOperator whole(String name) {
        return Objects.requireNonNull(WHOLE.get(name), name);
    }

    private static void of(String name, DoubleUnaryOperator function) {
        FLOATING.put(name, (a, _) -> function.applyAsDouble(a));
    }

    private static void arithmetic() {
        FLOATING.put("add", Double::sum);
        FLOATING.put("sub", (a, b) -> a - b);
        FLOATING.put("mul", (a, b) -> a * b);
        FLOATING.put("div", (a, b) -> a / b);
        FLOATING.put("pow", Reference::pow);
        FLOATING.put("atan2", Math::atan2);
        FLOATING.put("fmod", (a, b) -> a % b);
        FLOATING.put("remainder", Reference::remainder);
        of("neg", a -> -a);
        of("abs", Math::abs);
        of("sign", a -> a > 0 ? 1 : a < 0 ? -1 : 0);
        of("square", a -> a * a);
        of("reciprocal", a -> 1 / a);
    }

    private static void functions() {
        of("exp", Math::exp);
        of("log", Math::log);
        of("cos", Math::cos);
        of("sin", Math::sin);
        of("sqrt", Math::sqrt);
        of("tanh", Math::tanh);
        of("log1p", Math::log1p);
        of("expm1", Math::expm1);
        of("log2", a -> Math.log(a) / Math.log(2));
        of("log10", Math::log10);
        of("tan", Math::tan);
        of("asin", Math::asin);
        of("acos", Math::acos);
        of("atan", Math::atan);
        of("sinh", Math::sinh);
        of("cosh", Math::cosh);
        of("erf", Reference::erf);
        of("erfc", a -> 1 - erf(a));
        of("floor", Math::floor);
        of("ceil", Math::ceil);
        of("trunc", a -> a < 0 ? Math.ceil(a) : Math.floor(a));
        of("round", Math::rint);
        of("rsqrt", a -> 1 / Math.sqrt(a));
    }

    private static void activations() {
        of("relu", a -> Math.max(a, 0));
        of("sigmoid", Reference::sigmoid);
        of("gelu", a -> a * normal(a));
        of("gelu_slope", a -> normal(a) + a * Math.exp(-a * a / 2) / Math.sqrt(2 * Math.PI));
        of("gelu_tanh", a -> a * (1 + Math.tanh(tangent(a))) / 2);
        of("gelu_tanh_slope", Reference::geluTanhSlope);
        of("silu", a -> a / (1 + Math.exp(-a)));
        of("silu_slope", a -> sigmoid(a) * (1 + a * (1 - sigmoid(a))));
    }

    private static void parametric() {
        FLOATING.put("relu_gradient", (g, x) -> x <= 0 ? 0 : g);
        FLOATING.put("tanh_gradient", (g, y) -> g * (1 - y * y));
        FLOATING.put("sigmoid_gradient", (g, y) -> g * y * (1 - y));
        FLOATING.put("leaky_relu", (x, slope) -> x > 0 ? x : x * slope);
        FLOATING.put("leaky_slope", (x, slope) -> x > 0 ? 1 : slope);
        FLOATING.put("elu", (x, alpha) -> x <= 0 ? Math.expm1(x) * alpha : x);
        FLOATING.put("elu_slope", (x, alpha) -> x <= 0 ? Math.exp(x) * alpha : 1);
        FLOATING.put("softplus", (x, limit) -> x > limit ? x : Math.log1p(Math.exp(x)));
        FLOATING.put("softplus_slope", (x, limit) -> x > limit ? 1 : sigmoid(x));
    }

    private static void comparisons() {
        FLOATING.put("max", Math::max);
        FLOATING.put("min", Math::min);
        FLOATING.put("max_share", (a, b) -> a < b ? 0 : a == b ? 0.5 : 1);
        FLOATING.put("min_share", (a, b) -> a > b ? 0 : a == b ? 0.5 : 1);
        FLOATING.put("same", (a, b) -> a == b ? 1 : 0);
        FLOATING.put("at_least", (a, b) -> a >= b ? 1 : 0);
        FLOATING.put("squared_error", (a, b) -> (a - b) * (a - b));
        FLOATING.put("absolute_error", (a, b) -> Math.abs(a - b));
    }

    private static void whole() {
        WHOLE.put("add", Long::sum);
        WHOLE.put("sub", (a, b) -> a - b);
        WHOLE.put("mul", (a, b) -> a * b);
        WHOLE.put("neg", (a, _) -> -a);
        WHOLE.put("abs", (a, _) -> Math.abs(a));
        WHOLE.put("sign", (a, _) -> Long.signum(a));
        WHOLE.put("square", (a, _) -> a * a);
        WHOLE.put("relu", (a, _) -> Math.max(a, 0));
        WHOLE.put("max", Math::max);
        WHOLE.put("min", Math::min);
        WHOLE.put("same", (a, b) -> a == b ? 1 : 0);
        WHOLE.put("at_least", (a, b) -> a >= b ? 1 : 0);
        for (String name : new String[] {"floor", "ceil", "round", "trunc"}) {
            WHOLE.put(name, (a, _) -> a);
        }
    }

    /** {@return the function whose result is bool, of elements of any type} */
    static DoubleBiPredicate test(String name) {
        return switch (name) {
            case "eq" -> (a, b) -> a == b;
            case "ne" -> (a, b) -> a != b;
            case "lt" -> (a, b) -> a < b;
            case "le" -> (a, b) -> a <= b;
            case "gt" -> (a, b) -> a > b;
            case "ge" -> (a, b) -> a >= b;
            case "is_nan" -> (a, _) -> Double.isNaN(a);
            case "is_finite" -> (a, _) -> Double.isFinite(a);
            case "is_infinite" -> (a, _) -> Double.isInfinite(a);
            case "is_no_probability" -> (a, _) -> !(a >= 0 && a <= 1);
            case "add" -> (a, b) -> a != 0 || b != 0;
            case "mul" -> (a, b) -> a != 0 && b != 0;
            default -> throw new AssertionError(name);
        };
    }

    /** A condition of two numbers. */
    interface DoubleBiPredicate {
        /** {@return whether it holds} */
        boolean test(double a, double b);
    }

    private static double sigmoid(double a) {
        return 1 / (1 + Math.exp(-a));
    }

    private static double normal(double a) {
        return (1 + erf(a / Math.sqrt(2))) / 2;
    }

    private static double tangent(double a) {
        return SCALE * (a + 0.044715 * a * a * a);
    }

    private static double geluTanhSlope(double a) {
        double tanh = Math.tanh(tangent(a));
        double inner = SCALE * (1 + 3 * 0.044715 * a * a);
        return (1 + tanh) / 2 + a * (1 - tanh * tanh) * inner / 2;
    }

    /** {@return a power as C defines it, where a base of 1 goes with any exponent} */
    private static double pow(double base, double exponent) {
        boolean one = base == 1 || (base == -1 && Double.isInfinite(exponent));
        return one ? 1 : Math.pow(base, exponent);
    }

    /** {@return the remainder with the sign of the divisor} */
    private static double remainder(double a, double b) {
        double rest = a % b;
        return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
    }

    /** {@return the error function, by a series whose terms have one sign} */
    private static double erf(double x) {
        if (Math.abs(x) > 6) {
            return Math.signum(x);
        }
        double term = x;
        double sum = x;
        for (int n = 1; n < 300; n++) {
            term *= 2 * x * x / (2 * n + 1);
            sum += term;
        }
        return 2 / Math.sqrt(Math.PI) * Math.exp(-x * x) * sum;
    }
}
