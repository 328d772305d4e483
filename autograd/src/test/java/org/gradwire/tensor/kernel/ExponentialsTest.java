package org.gradwire.tensor.kernel;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.tensor.kernel.element.Elements;
import org.gradwire.tensor.kernel.element.Unary;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.SplittableRandom;
import java.util.function.DoubleUnaryOperator;
import java.util.function.Function;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/**
 * Exponential functions and logarithms of the Vector API, at their limits and over their ranges.
 */
class ExponentialsTest {
    private static final double[] LIMITS = {
        0.0,
        -0.0,
        1,
        -1,
        1e-30,
        -1e-30,
        1e-45,
        -1e-45,
        Double.MIN_VALUE,
        -Double.MIN_VALUE,
        1e-310,
        1e-39,
        9.1,
        -9.1,
        18,
        -18,
        19.1,
        86.9,
        87,
        88.7,
        88.8,
        -87.4,
        -103.9,
        -104.1,
        707.9,
        709.7,
        709.9,
        -708.4,
        -745.1,
        -745.2,
        -746,
        1e30,
        -1e30,
        3e38,
        1e300,
        Double.MAX_VALUE,
        -Double.MAX_VALUE,
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY
    };

    private static final int RANDOM = 20_000;
    private static final double MOST_ULPS = 4;

    private final Kernels vector = Kernels.vector().orElseThrow();

    @ParameterizedTest
    @EnumSource(names = {"EXP", "EXPM1", "TANH", "LOG", "LOG1P"})
    void resultsAreExactToSomeUnitsOfTheLastPlace(Unary function) {
        compare(vector.floats(), function, number -> Math.ulp((float) number));
        compare(vector.doubles(), function, Math::ulp);
    }

    private static <A> void compare(Elements<A> elements, Unary function, DoubleUnaryOperator ulp) {
        double[] numbers = numbers();
        A x = elements.array(numbers.length);
        A y = elements.array(numbers.length);
        for (int i = 0; i < numbers.length; i++) {
            elements.set(x, i, numbers[i]);
        }
        elements.unary(function, x, 0, y, 0, numbers.length);
        for (int i = 0; i < numbers.length; i++) {
            double argument = elements.getDouble(x, i);
            elements.set(x, i, exact(function, argument));
            double expected = elements.getDouble(x, i);
            double actual = elements.getDouble(y, i);
            if (Double.isFinite(expected)) {
                double sign = Math.copySign(1, expected);
                assertEquals(sign, Math.copySign(1, actual), function + " of " + argument);
                double most = MOST_ULPS * ulp.applyAsDouble(expected);
                assertEquals(expected, actual, most, function + " of " + argument);
            } else {
                assertEquals(expected, actual, function + " of " + argument);
            }
        }
    }

    private static double[] numbers() {
        var random = new SplittableRandom(7);
        return Stream.of(
                        DoubleStream.of(LIMITS),
                        random.doubles(RANDOM, -100, 100),
                        random.doubles(RANDOM, -1, 1))
                .flatMapToDouble(Function.identity())
                .toArray();
    }

    private static double exact(Unary function, double x) {
        return switch (function) {
            case EXP -> StrictMath.exp(x);
            case EXPM1 -> StrictMath.expm1(x);
            case TANH -> StrictMath.tanh(x);
            case LOG -> x < 0 ? Double.NaN : StrictMath.log(x);
            case LOG1P -> x < -1 ? Double.NaN : StrictMath.log1p(x);
            default -> throw new IllegalArgumentException("no exact " + function);
        };
    }
}
