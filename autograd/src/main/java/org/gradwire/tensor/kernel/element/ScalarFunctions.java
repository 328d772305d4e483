package org.gradwire.tensor.kernel.element;

import java.util.function.DoubleBinaryOperator;
import java.util.function.DoubleUnaryOperator;

/**
 * Scalar definitions of the {@link Unary} and {@link Binary} functions: the plain kernels of those
 * without a separate loop.
 */
public final class ScalarFunctions {
    private static final double LN_2 = Math.log(2);
    private static final double ROOT_HALF = Math.sqrt(0.5);
    private static final double ROOT_2_PI = Math.sqrt(2 * Math.PI);

    /** {@code sqrt(2 / pi)}, of the tanh approximation of the normal distribution. */
    public static final double TANGENT_SCALE = Math.sqrt(2 / Math.PI);

    /** The weight of the cube in that approximation. */
    public static final double TANGENT_CUBE = 0.044715;

    /** Below it, the error of a quotient is less than a half. */
    private static final double EXACT_QUOTIENT = 0x1p52;

    private ScalarFunctions() {}

    static DoubleUnaryOperator of(Unary function) {
        return switch (function) {
            case NEG -> x -> -x;
            case EXP -> Math::exp;
            case LOG -> Math::log;
            case COS -> Math::cos;
            case SIN -> Math::sin;
            case SQRT -> Math::sqrt;
            case RELU -> x -> Math.max(x, 0);
            case TANH -> Math::tanh;
            case SIGMOID -> ScalarFunctions::sigmoid;
            case ABS -> Math::abs;
            case SIGN -> x -> x > 0 ? 1 : x < 0 ? -1 : 0;
            case SQUARE -> x -> x * x;
            case RECIPROCAL -> x -> 1 / x;
            case RSQRT -> x -> 1 / Math.sqrt(x);
            case LOG1P -> Math::log1p;
            case EXPM1 -> Math::expm1;
            case LOG2 -> ScalarFunctions::log2;
            case LOG10 -> Math::log10;
            case TAN -> Math::tan;
            case ASIN -> Math::asin;
            case ACOS -> Math::acos;
            case ATAN -> Math::atan;
            case SINH -> Math::sinh;
            case COSH -> Math::cosh;
            case ERF -> ErrorFunction::erf;
            case ERFC -> ErrorFunction::erfc;
            case FLOOR -> Math::floor;
            case CEIL -> Math::ceil;
            case ROUND -> Math::rint;
            case TRUNC -> x -> x < 0 ? Math.ceil(x) : Math.floor(x);
            case GELU -> x -> x * normal(x);
            case GELU_SLOPE -> x -> normal(x) + x * Math.exp(-x * x / 2) / ROOT_2_PI;
            case GELU_TANH -> x -> x * (1 + Math.tanh(tangent(x))) / 2;
            case GELU_TANH_SLOPE -> ScalarFunctions::geluTanhSlope;
            case SILU -> x -> x / (1 + Math.exp(-x));
            case SILU_SLOPE -> x -> sigmoid(x) * (1 + x * (1 - sigmoid(x)));
        };
    }

    static DoubleBinaryOperator of(Binary function) {
        return switch (function) {
            case ADD -> (a, b) -> a + b;
            case SUB -> (a, b) -> a - b;
            case MUL -> (a, b) -> a * b;
            case DIV -> (a, b) -> a / b;
            case RELU_GRADIENT -> (g, x) -> x <= 0 ? 0 : g;
            case TANH_GRADIENT -> (g, x) -> g * (1 - x * x);
            case SIGMOID_GRADIENT -> (g, x) -> g * x * (1 - x);
            case MAX -> Math::max;
            case MIN -> Math::min;
            case MAX_SHARE -> (a, b) -> a < b ? 0 : a == b ? 0.5 : 1;
            case MIN_SHARE -> (a, b) -> a > b ? 0 : a == b ? 0.5 : 1;
            case SAME -> (a, b) -> a == b ? 1 : 0;
            case AT_LEAST -> (a, b) -> a >= b ? 1 : 0;
            case POW -> ScalarFunctions::pow;
            case ATAN2 -> Math::atan2;
            case REMAINDER -> ScalarFunctions::remainder;
            case FMOD -> ScalarFunctions::fmod;
            case LEAKY_RELU -> (x, slope) -> x > 0 ? x : x * slope;
            case LEAKY_SLOPE -> (x, slope) -> x > 0 ? 1 : slope;
            case ELU -> (x, alpha) -> x <= 0 ? Math.expm1(x) * alpha : x;
            case ELU_SLOPE -> (x, alpha) -> x <= 0 ? Math.exp(x) * alpha : 1;
            case SOFTPLUS -> (x, limit) -> x > limit ? x : Math.log1p(Math.exp(x));
            case SOFTPLUS_SLOPE -> (x, limit) -> x > limit ? 1 : sigmoid(x);
        };
    }

    private static double sigmoid(double x) {
        return 1 / (1 + Math.exp(-x));
    }

    /** {@return the binary logarithm, exact of powers of two} */
    private static double log2(double x) {
        int exponent = Math.getExponent(x);
        boolean power = exponent <= Double.MAX_EXPONENT && x == Math.scalb(1.0, exponent);
        return power ? exponent : Math.log(x) / LN_2;
    }

    /** {@return the probability that a normally distributed number is smaller} */
    private static double normal(double x) {
        return (1 + ErrorFunction.erf(x * ROOT_HALF)) / 2;
    }

    private static double tangent(double x) {
        return TANGENT_SCALE * (x + TANGENT_CUBE * x * x * x);
    }

    private static double geluTanhSlope(double x) {
        double tanh = Math.tanh(tangent(x));
        double inner = TANGENT_SCALE * (1 + 3 * TANGENT_CUBE * x * x);
        return (1 + tanh) / 2 + x * (1 - tanh * tanh) * inner / 2;
    }

    /** {@return a power as C defines it: where the base is 1, an exponent may be no number} */
    static double pow(double base, double exponent) {
        if (base == 1 || (base == -1 && Double.isInfinite(exponent))) {
            return 1;
        }
        return Math.pow(base, exponent);
    }

    /**
     * {@return the remainder with the sign of the first} The rest of a small quotient is exact, so
     * this equals {@code %}, which takes many times as long.
     */
    public static double fmod(double a, double b) {
        double quotient = a / b;
        if (!(Math.abs(quotient) < EXACT_QUOTIENT) || Double.isInfinite(b)) {
            return a % b;
        }
        double rest = Math.fma(-(double) (long) quotient, b, a);
        boolean isRoundedUp = rest != 0 && (rest < 0) != (a < 0);
        return Math.copySign(isRoundedUp ? rest + Math.copySign(b, a) : rest, a);
    }

    /** {@return the remainder with the sign of the second} */
    public static double remainder(double a, double b) {
        double rest = fmod(a, b);
        return rest != 0 && (b < 0) != (rest < 0) ? rest + b : rest;
    }
}
