package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.DeviceComparison.CUDA;
import static org.gradwire.tensor.operator.DeviceComparison.compare;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.testing.NeedsDevices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * The order of elements, and running sums and products, on a device: the values, indices and
 * gradients of the host, without copies where the device has the kernels.
 */
@NeedsDevices
@Isolated("copies to the host are counted for the whole JVM")
class DeviceOrderTest {
    private final Random random = new Random(7);

    /** {@return whether there are devices for this run} */
    static boolean devicesAreThere() {
        return NeedsDevices.Condition.areThere();
    }

    private Tensor numbers(int... shape) {
        return DeviceComparison.numbers(random, shape);
    }

    /** Numbers of which several are equal, so that only a stable sort gives the host's indices. */
    private Tensor repeated(int... shape) {
        return numbers(shape).mul(40).round().detach();
    }

    private static void compareSorts(int dim, boolean descending, Tensor x) {
        compare(y -> Ops.sort(y[0], dim, descending).get(0), x);
        compare(y -> Ops.sort(y[0], dim, descending).get(1).to(DType.INT32), x);
        compare(y -> Ops.argsort(y[0], dim, descending).to(DType.INT32), x);
    }

    /**
     * Rows shorter than a tile of 4096, as long, of several, also of a number that is odd, and rows
     * long enough for radix.
     */
    @ParameterizedTest
    @CsvSource({
        "5, 1",
        "300, 3",
        "70, 16",
        "9, 100",
        "3, 1000",
        "3, 2047",
        "2, 2048",
        "2, 2049",
        "2, 4096",
        "2, 4097",
        "3, 9000",
        "1, 30000",
        "1, 65537",
        "2, 70001"
    })
    void rowsAreSortedStably(int rows, int length) {
        compareSorts(1, false, repeated(rows, length));
        compareSorts(1, true, repeated(rows, length));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void anyDimensionIsSorted(int dim) {
        compareSorts(dim, false, repeated(30, 50, 7));
        compareSorts(dim, true, repeated(7, 50, 30).transpose(0, 2).detach());
    }

    @ParameterizedTest
    @EnumSource(DType.class)
    void allTypesAreSorted(DType dtype) {
        sortAs(dtype, 3, 1500);
        sortAs(dtype, 3, 5000);
        sortAs(dtype, 1, 70_000);
    }

    private void sortAs(DType dtype, int rows, int length) {
        Tensor x =
                dtype == DType.INT64
                        ? repeated(rows, length).to(dtype).mul(0x123456789L).detach()
                        : repeated(rows, length).to(dtype);
        for (boolean descending : new boolean[] {false, true}) {
            List<Tensor> here = Ops.sort(x, 1, descending);
            List<Tensor> there = Ops.sort(x.to(CUDA), 1, descending);
            assertEquals(dtype, there.get(0).dtype());
            assertArrayEquals(
                    here.get(0).to(DType.FLOAT64).toDoubleArray(),
                    there.get(0).to(DType.FLOAT64).toDoubleArray());
            assertArrayEquals(here.get(1).toLongArray(), there.get(1).toLongArray());
        }
    }

    @Test
    void integersThatDifferInOneHalfAreSorted() {
        Tensor x =
                Tensor.of(
                        Long.MAX_VALUE,
                        Long.MIN_VALUE,
                        -1L,
                        0L,
                        1L << 32,
                        (1L << 32) + 1,
                        0xffff_ffffL,
                        0x8000_0000L,
                        -(1L << 32),
                        -(1L << 32) - 1,
                        0L,
                        -1L);
        assertArrayEquals(
                Ops.argsort(x, 0, false).toLongArray(),
                Ops.argsort(x.to(CUDA), 0, false).toLongArray());
        assertArrayEquals(
                Ops.argsort(x, 0, true).toLongArray(),
                Ops.argsort(x.to(CUDA), 0, true).toLongArray());
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void specialNumbersAreInTheHostsOrder(DType dtype) {
        double inf = Double.POSITIVE_INFINITY;
        double[] numbers = {
            1, Double.NaN, -0.0, 0.0, -1, inf, -inf, -Double.NaN, 0.0, -0.0, 2, 6e-8, -6e-8
        };
        for (int length : new int[] {numbers.length, 2000, 70_000}) {
            double[] repeated = new double[length];
            Arrays.setAll(repeated, i -> numbers[i % numbers.length]);
            sortSpecial(Tensor.of(repeated).to(dtype));
        }
    }

    private static void sortSpecial(Tensor x) {
        for (boolean descending : new boolean[] {false, true}) {
            List<Tensor> here = Ops.sort(x, 0, descending);
            List<Tensor> there = Ops.sort(x.to(CUDA), 0, descending);
            assertArrayEquals(here.get(1).toLongArray(), there.get(1).toLongArray());
            assertArrayEquals(here.get(0).toDoubleArray(), there.get(0).toDoubleArray());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "4, 10, 3",
        "4, 10, 10",
        "4, 10, 0",
        "2, 5000, 7",
        "2, 5000, 2100",
        "1, 20000, 50",
        "1, 70000, 69000"
    })
    void firstElements(int rows, int length, int count) {
        for (boolean largest : new boolean[] {false, true}) {
            Tensor x = repeated(rows, length);
            compare(y -> Ops.topk(y[0], count, 1, largest, true).get(0), x);
            compare(y -> Ops.topk(y[0], count, 1, largest, true).get(1).to(DType.INT32), x);
            compare(y -> Ops.topk(y[0].t(), count, 0, largest, true).get(0), x);
        }
        Tensor wide = numbers(rows, length).to(DType.FLOAT64);
        assertArrayEquals(
                Ops.topk(wide, count, 1, true, true).get(1).toLongArray(),
                Ops.topk(wide.to(CUDA), count, 1, true, true).get(1).toLongArray());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 33, 2048, 5000})
    void orderStatistics(int length) {
        Tensor x = repeated(3, length);
        for (boolean keepdim : new boolean[] {false, true}) {
            int middle = (length + 1) / 2;
            compare(y -> Ops.kthvalue(y[0], middle, 1, keepdim).get(0), x);
            compare(y -> Ops.kthvalue(y[0], length, 1, keepdim).get(1).to(DType.INT32), x);
            compare(y -> Ops.median(y[0], 1, keepdim).get(0), x);
            compare(y -> Ops.median(y[0].t(), 0, keepdim).get(1).to(DType.INT32), x);
        }
    }

    @Test
    void mediansOfRowsWithNaN() {
        Tensor x = Tensor.of(new float[] {1, Float.NaN, 0, 3, 2, 5, Float.NaN, 1, Float.NaN}, 3, 3);
        compare(y -> Ops.median(y[0], 1, false).get(0), x);
        compare(y -> Ops.median(y[0], 1, false).get(1).to(DType.INT32), x);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 100, 5000})
    void uniqueElements(int count) {
        for (int i = 0; i < 3; i++) {
            int result = i;
            compare(
                    y -> Ops.unique(y[0], true, true, true).get(result).detach().to(DType.INT32),
                    repeated(count, 2).to(DType.INT32));
        }
        Tensor x = Tensor.of(2.5, Double.NaN, -0.0, 0.0, Double.NaN, 2.5).to(CUDA);
        List<Tensor> there = Ops.unique(x, true, true, true);
        assertArrayEquals(
                new double[] {-0.0, 2.5, Double.NaN, Double.NaN}, there.get(0).toDoubleArray());
        assertArrayEquals(new long[] {1, 2, 0, 0, 3, 1}, there.get(1).toLongArray());
        assertArrayEquals(new long[] {2, 2, 1, 1}, there.get(2).toLongArray());
    }

    @ParameterizedTest
    @CsvSource({"5, 1", "70, 33", "20, 300", "3, 1025", "2, 5000", "2, 16384", "1, 20001"})
    void runningProductsAndSums(int rows, int length) {
        Tensor x = numbers(rows, length).mul(0.01).add(1).detach();
        compare(y -> Ops.cumprod(y[0], 1), x);
        compare(y -> Ops.cumprod(y[0].t(), 0), x);
        compare(y -> Ops.cumsum(y[0], 1), numbers(rows, length));
        compare(y -> Ops.cumsum(y[0].t(), 0), numbers(rows, length));
        compare(y -> Ops.cumprod(y[0], 0), x.t().detach());
    }

    @Test
    void runningProductsOfIntegersWrap() {
        Tensor x = repeated(3, 400).to(DType.INT32).add(1);
        for (Tensor each : List.of(x, x.to(DType.INT64), x.gt(-15))) {
            assertArrayEquals(
                    Ops.cumprod(each, 1).toLongArray(),
                    Ops.cumprod(each.to(CUDA), 1).toLongArray());
        }
    }

    /** Products above the range of float32 have no effect on the gradients before them. */
    @Test
    void gradientsOfProductsWithZerosAndOfThoseThatOverflow() {
        compare(y -> Ops.cumprod(y[0], 0), Tensor.of(2f, 0, 3, 0, 1, -1));
        compare(y -> Ops.cumprod(y[0], 0).narrow(0, 0, 5), Tensor.ones(400).mul(2).detach());
    }
}
