package org.gradwire.tensor.kernel.element;

import java.util.function.LongBinaryOperator;
import java.util.function.LongUnaryOperator;

/** Scalar definitions of integer functions without a separate loop. */
final class IntegerFunctions {

    private IntegerFunctions() {}

    static void apply(Unary function, long[] x, int xo, long[] y, int yo, int n) {
        LongUnaryOperator operator = of(function);
        for (int i = 0; i < n; i++) {
            y[yo + i] = operator.applyAsLong(x[xo + i]);
        }
    }

    static void apply(
            Binary function, long[] a, int ao, long[] b, int bo, long[] y, int yo, int n) {
        LongBinaryOperator operator = of(function);
        for (int i = 0; i < n; i++) {
            y[yo + i] = operator.applyAsLong(a[ao + i], b[bo + i]);
        }
    }

    private static LongUnaryOperator of(Unary function) {
        return switch (function) {
            case ABS -> Math::abs;
            case SIGN -> Long::signum;
            case SQUARE -> x -> x * x;
            case FLOOR, CEIL, ROUND, TRUNC -> x -> x;
            default -> throw new UnsupportedOperationException(function + " of integers");
        };
    }

    private static LongBinaryOperator of(Binary function) {
        return switch (function) {
            case MAX -> Math::max;
            case MIN -> Math::min;
            case SAME -> (a, b) -> a == b ? 1 : 0;
            case AT_LEAST -> (a, b) -> a >= b ? 1 : 0;
            case POW -> IntegerFunctions::pow;
            case REMAINDER -> (a, b) -> Math.floorMod(a, divisor(b));
            case FMOD -> (a, b) -> a % divisor(b);
            default -> throw new UnsupportedOperationException(function + " of integers");
        };
    }

    private static long divisor(long number) {
        if (number == 0) {
            throw new ArithmeticException(
                    "ZeroDivisionError: an integer has no remainder of a division by zero");
        }
        return number;
    }

    /** {@return a power, cut to an integer where the exponent is negative} */
    private static long pow(long base, long exponent) {
        if (exponent < 0) {
            return base == 1 ? 1 : base == -1 ? 1 - 2 * (exponent & 1) : 0;
        }
        long power = 1;
        long factor = base;
        for (long left = exponent; left > 0; left >>= 1) {
            if ((left & 1) == 1) {
                power *= factor;
            }
            factor *= factor;
        }
        return power;
    }
}
