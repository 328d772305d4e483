package org.gradwire.tensor;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * Makes the inputs of samples: float64 numbers that look random and are the same on every machine.
 */
final class Sampler {
    private static final long MULTIPLIER = 6364136223846793005L;
    private static final long INCREMENT = 1442695040888963407L;

    private long state = 42;

    /** {@return numbers between -1 and 1 that require a gradient} */
    Tensor tensor(int... shape) {
        return between(-1, 1, shape);
    }

    /** {@return numbers between 0.5 and 2 that require a gradient} */
    Tensor positive(int... shape) {
        return between(0.5, 2, shape);
    }

    private Tensor between(double low, double high, int[] shape) {
        double[] numbers = new double[Shapes.count(shape)];
        for (int i = 0; i < numbers.length; i++) {
            state = state * MULTIPLIER + INCREMENT;
            double unit = (state >>> 40) / (double) (1 << 24);
            numbers[i] = low + (high - low) * unit;
        }
        return Tensor.of(numbers, shape).requiresGrad(true);
    }

    /** {@return a matrix whose rows do not lie one after the other} */
    Tensor transposed(int rows, int columns) {
        return tensor(columns, rows).detach().transposed().requiresGrad(true);
    }

    /** {@return the same numbers as a tensor that requires no gradient} */
    Tensor constant(int... shape) {
        return tensor(shape).requiresGrad(false);
    }

    /** {@return arguments} */
    static @Nullable Object[] args(@Nullable Object... values) {
        return values;
    }

    /** {@return a list of arguments} */
    static List<@Nullable Object[]> samples(@Nullable Object[]... all) {
        return List.of(all);
    }
}
