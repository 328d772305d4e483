package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.SplittableRandom;

/** Softmax and its logarithm, and their gradients, for rows of 1 to 5000 elements. */
@NeedsFakeCuda
class RowKernelsTest {
    private static final int[] LENGTHS = {
        1, 2, 3, 5, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1000,
        2048, 5000
    };
    private static final int ROWS = 3;

    private final CudaDevice device = FakeCuda.device(0);
    private final CudaKernels kernels = new CudaKernels(false);
    private final SplittableRandom random = new SplittableRandom(FakeCuda.SEED);

    private static Operand length(int length) {
        return Operand.number(ElementType.INT64, (long) length);
    }

    /** Contiguous rows, or columns that are read as rows. */
    private TestOperand rows(ElementType type, int length, boolean transposed) {
        var numbers = new HostArray(type, ROWS * length);
        for (int i = 0; i < numbers.length; i++) {
            numbers.set(i, random.nextGaussian() * 3);
        }
        return transposed
                ? TestOperand.of(device, numbers, 0, new int[] {ROWS, length}, 1, ROWS)
                : TestOperand.contiguous(device, numbers);
    }

    private static double[] softmax(TestOperand x, int row, int length, boolean logarithm) {
        double[] result = new double[length];
        double top = Double.NEGATIVE_INFINITY;
        for (int i = 0; i < length; i++) {
            top = Math.max(top, x.at(row * length + i));
        }
        double sum = 0;
        for (int i = 0; i < length; i++) {
            sum += Math.exp(x.at(row * length + i) - top);
        }
        for (int i = 0; i < length; i++) {
            double shifted = x.at(row * length + i) - top;
            result[i] = logarithm ? shifted - Math.log(sum) : Math.exp(shifted) / sum;
        }
        return result;
    }

    private static double[] gradient(
            TestOperand flow, TestOperand output, int row, int length, boolean logarithm) {
        double sum = 0;
        for (int i = row * length; i < (row + 1) * length; i++) {
            sum += logarithm ? flow.at(i) : flow.at(i) * output.at(i);
        }
        double[] result = new double[length];
        for (int i = 0; i < length; i++) {
            double g = flow.at(row * length + i);
            double y = output.at(row * length + i);
            result[i] = logarithm ? g - Math.exp(y) * sum : y * (g - sum);
        }
        return result;
    }

    private static void assertRow(double[] expected, TestOperand y, HostArray actual, int row) {
        for (int i = 0; i < expected.length; i++) {
            double most =
                    KernelChecks.tolerance(actual.type)
                            * Math.max(1, Math.abs(expected[i]))
                            * Math.sqrt(expected.length);
            assertEquals(
                    expected[i],
                    actual.get(y.position(row * expected.length + i)),
                    most,
                    "%d of row %d of %d".formatted(i, row, expected.length));
        }
    }

    private static List<ElementType> floating() {
        return List.of(ElementType.values()).stream().filter(ElementType::isFloating).toList();
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void eachRowSumsTo1(ElementType type) {
        System.out.println("seed " + FakeCuda.SEED);
        for (int length : LENGTHS) {
            for (boolean logarithm : new boolean[] {false, true}) {
                boolean transposed = length % 2 == 0;
                TestOperand x = rows(type, length, transposed);
                TestOperand y = rows(type, length, transposed);
                String name = logarithm ? "log_softmax" : "softmax";
                assertTrue(kernels.run(name, y.operand, List.of(x.operand, length(length))));
                HostArray actual = y.read();
                for (int row = 0; row < ROWS; row++) {
                    assertRow(softmax(x, row, length, logarithm), y, actual, row);
                }
                List.of(x, y).forEach(TestOperand::release);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void gradientsAreThoseOfTheFormula(ElementType type) {
        System.out.println("seed " + FakeCuda.SEED);
        for (int length : LENGTHS) {
            for (boolean logarithm : new boolean[] {false, true}) {
                boolean transposed = length % 2 == 0;
                TestOperand flow = rows(type, length, transposed);
                TestOperand x = rows(type, length, transposed);
                TestOperand output = rows(type, length, transposed);
                String name = logarithm ? "log_softmax" : "softmax";
                kernels.run(name, output.operand, List.of(x.operand, length(length)));
                TestOperand known = copied(output);
                TestOperand y = rows(type, length, transposed);
                assertTrue(
                        kernels.run(
                                name + "_gradient",
                                y.operand,
                                List.of(flow.operand, known.operand, length(length))));
                HostArray actual = y.read();
                for (int row = 0; row < ROWS; row++) {
                    assertRow(gradient(flow, known, row, length, logarithm), y, actual, row);
                }
                List.of(flow, x, output, known, y).forEach(TestOperand::release);
            }
        }
    }

    /** More rows than a block has threads, whose elements are apart. */
    @ParameterizedTest
    @ValueSource(ints = {1, 21, 40})
    void columnsAreRows(int length) {
        System.out.println("seed " + FakeCuda.SEED);
        int rows = 1 << 14;
        var numbers = new HostArray(ElementType.FLOAT32, 2 * rows * length);
        for (int i = 0; i < numbers.length; i++) {
            numbers.set(i, random.nextGaussian() * 3);
        }
        int[] sizes = {2, rows, length};
        TestOperand x = TestOperand.of(device, numbers, 0, sizes, rows * length, 1, rows);
        var results = new HostArray(ElementType.FLOAT32, numbers.length);
        TestOperand y = TestOperand.of(device, results, 0, sizes, rows * length, 1, rows);
        assertTrue(kernels.run("log_softmax", y.operand, List.of(x.operand, length(length))));
        HostArray actual = y.read();
        for (int row = 0; row < 2 * rows; row++) {
            assertRow(softmax(x, row, length, true), y, actual, row);
        }
        List.of(x, y).forEach(TestOperand::release);
    }

    private TestOperand copied(TestOperand x) {
        Operand operand = x.operand;
        return TestOperand.of(device, x.read(), 0, operand.sizes(), operand.strides());
    }

    @Test
    void specialNumbersStayInTheirRow() {
        double infinity = Double.POSITIVE_INFINITY;
        double[] numbers = {
            1,
            Double.NaN,
            2,
            1,
            -infinity,
            1,
            -infinity,
            -infinity,
            -infinity,
            1,
            infinity,
            2,
            1e30,
            1,
            -1e30
        };
        double[] expected = {0.5, 0, 0.5, 1, 0, 0};
        for (ElementType type : List.of(ElementType.FLOAT32, ElementType.FLOAT64)) {
            TestOperand x = TestOperand.contiguous(device, HostArray.of(type, numbers));
            TestOperand y = TestOperand.contiguous(device, new HostArray(type, numbers.length));
            assertTrue(kernels.run("softmax", y.operand, List.of(x.operand, length(3))));
            HostArray actual = y.read();
            for (int i = 0; i < 3; i++) {
                assertEquals(Double.NaN, actual.get(i));
                assertEquals(expected[i], actual.get(3 + i));
                assertEquals(Double.NaN, actual.get(6 + i));
                assertEquals(Double.NaN, actual.get(9 + i));
                assertEquals(expected[3 + i], actual.get(12 + i));
            }
        }
    }

    /** As if all elements were that number. */
    @Test
    void aNumberIsARowOfEqualElements() {
        for (ElementType type : floating()) {
            assertTrue(kernels.has("softmax", type));
            TestOperand y = TestOperand.contiguous(device, new HostArray(type, 8));
            TestOperand number = TestOperand.number(type, 1.5);
            assertTrue(kernels.run("softmax", y.operand, List.of(number.operand, length(4))));
            HostArray shares = y.read();
            assertTrue(kernels.run("log_softmax", y.operand, List.of(number.operand, length(4))));
            HostArray logarithms = y.read();
            for (int i = 0; i < 8; i++) {
                assertEquals(0.25, shares.get(i));
                KernelChecks.assertNear(type, -Math.log(4), logarithms.get(i), "log");
            }
            y.release();
        }
        assertFalse(kernels.has("softmax", ElementType.INT64));
    }
}
