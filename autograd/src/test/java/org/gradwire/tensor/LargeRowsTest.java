package org.gradwire.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Random;

/** Kernels over rows of native memory, against the same numbers computed one by one. */
class LargeRowsTest {
    private static final int SEED = 12;

    /** {@return numbers from 0 to 9 in native memory} */
    private static Tensor numbers(DType dtype, int... shape) {
        Tensor x = Tensor.randint(new Random(SEED), 0, 10, shape).to(dtype);
        assertTrue(x.storage().isNative(), "too small: " + x.numel());
        return x;
    }

    /** Rows that are shorter and longer than the lines of the index, and a view as a table. */
    @ParameterizedTest
    @CsvSource({"FLOAT32, 900", "FLOAT64, 900", "INT64, 900", "FLOAT32, 3000", "BOOL, 900"})
    void indicesReachElementsOfTheirRow(DType dtype, int columns) {
        int rows = 90;
        Tensor x = numbers(dtype, columns, rows).t();
        Tensor index = Tensor.randint(new Random(1), 0, columns, rows, 900);
        Tensor source = numbers(dtype, rows, 900);
        long[] taken = x.contiguous().toLongArray();
        long[] put = new long[rows * columns];
        long[] at = index.toLongArray();
        long[] from = source.toLongArray();
        long[] expected = new long[at.length];
        for (int i = 0; i < at.length; i++) {
            int place = i / 900 * columns + (int) at[i];
            expected[i] = taken[place];
            put[place] = from[i];
        }
        assertArrayEquals(expected, Ops.gather(x, 1, index).toLongArray());
        Tensor zeros = Tensor.zeros(dtype, rows, columns);
        assertArrayEquals(put, Ops.scatter(zeros, 1, index, source).toLongArray());
    }

    @ParameterizedTest
    @CsvSource({"FLOAT32, 33", "FLOAT64, 34", "INT64, 35", "FLOAT32, 3"})
    void runningSumsOfRowsAreTheirOwn(DType dtype, int rows) {
        int columns = 20_000;
        Tensor x = numbers(dtype, rows, columns);
        long[] expected = x.toLongArray();
        for (int i = 0; i < expected.length; i++) {
            expected[i] += i % columns == 0 ? 0 : expected[i - 1];
        }
        Tensor sums = x.cumsum(1);
        assertArrayEquals(expected, sums.toLongArray());
        assertArrayEquals(expected, x.t().contiguous().t().cumsum(1).toLongArray());
        if (dtype.isFloating()) {
            Tensor leaf = x.clone().requiresGrad(true);
            leaf.cumsum(1).backward(x);
            Tensor gradient = leaf.grad();
            Tensor total = sums.narrow(1, columns - 1, 1);
            assertTrue(gradient != null && gradient.equal(total.sub(sums).add(x)));
        }
    }
}
