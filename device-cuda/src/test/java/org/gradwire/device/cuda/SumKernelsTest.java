package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.device.ElementType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Sums of rows of all layouts. */
@NeedsFakeCuda
class SumKernelsTest {
    private final CudaDevice device = FakeCuda.device(0);
    private final CudaKernels kernels = new CudaKernels(false);
    private final SplittableRandom random = new SplittableRandom(FakeCuda.SEED);

    record Shape(String name, int rows, int[] sizes, int... strides) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static final List<Shape> SHAPES =
            List.of(
                    new Shape("one term", 1, new int[0]),
                    new Shape("rows of one term", 7, new int[] {7}, 1),
                    new Shape("rows", 50, new int[] {50 * 33}, 1),
                    new Shape("spaced terms", 5, new int[] {5 * 12}, 3),
                    new Shape("columns", 70, new int[] {70, 40}, 1, 70),
                    new Shape("less columns than a warp", 5, new int[] {5, 300}, 1, 5),
                    new Shape("one long row", 1, new int[] {100_003}, 1),
                    new Shape("few long rows", 3, new int[] {3 * 20_001}, 1),
                    new Shape("few long columns", 33, new int[] {33, 5000}, 1, 33),
                    new Shape("rows repeated", 6, new int[] {6, 10}, 0, 1),
                    new Shape("terms repeated", 6, new int[] {6, 10}, 1, 0),
                    new Shape("one element repeated", 2, new int[] {64}, 0),
                    new Shape("rows of two dimensions", 6, new int[] {2, 3, 40}, 240, 40, 2),
                    new Shape("terms of two dimensions", 4, new int[] {4, 5, 6}, 1, 24, 4),
                    new Shape("terms across dimensions", 3, new int[] {2, 3, 4}, 12, 1, 3),
                    new Shape("backward", 3, new int[] {3, 8}, -8, -1));

    static Stream<Arguments> sums() {
        List<Arguments> sums = new ArrayList<>();
        for (ElementType type : ElementType.values()) {
            if (SumKernels.has(type)) {
                SHAPES.forEach(shape -> sums.add(Arguments.of(type, shape)));
            }
        }
        return sums.stream();
    }

    private TestOperand terms(ElementType type, Shape shape) {
        int last = 0;
        int first = 0;
        for (int d = 0; d < shape.sizes.length; d++) {
            int span = (shape.sizes[d] - 1) * shape.strides[d];
            last += Math.max(span, 0);
            first -= Math.min(span, 0);
        }
        var numbers = new HostArray(type, first + last + 1);
        for (int i = 0; i < numbers.length; i++) {
            numbers.set(i, type.isFloating() ? random.nextGaussian() : random.nextInt(100) - 40);
        }
        return TestOperand.of(device, numbers, first, shape.sizes, shape.strides);
    }

    private static void assertSums(TestOperand y, TestOperand x) {
        int rows = (int) y.operand.count();
        int terms = (int) x.operand.count() / rows;
        HostArray sums = y.read();
        boolean[] written = new boolean[sums.length];
        for (int row = 0; row < rows; row++) {
            double sum = 0;
            double size = 1;
            for (int i = 0; i < terms; i++) {
                sum += x.at(row * terms + i);
                size += Math.abs(x.at(row * terms + i));
            }
            int at = y.position(row);
            written[at] = true;
            double most =
                    KernelChecks.tolerance(sums.type) * Math.sqrt(size * Math.abs(sum) + size);
            assertEquals(sum, sums.get(at), most, "row " + row);
        }
        KernelChecks.assertRestIsKept(y.before(), sums, written);
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("sums")
    void termsOfEachRowAreAdded(ElementType type, Shape shape) {
        System.out.println("seed " + FakeCuda.SEED);
        TestOperand x = terms(type, shape);
        TestOperand y = TestOperand.contiguous(device, new HostArray(type, shape.rows));
        assertTrue(kernels.run("sum", y.operand, List.of(x.operand)));
        assertSums(y, x);
        TestOperand spaced =
                TestOperand.of(
                        device,
                        new HostArray(type, 2 * shape.rows + 1),
                        1,
                        new int[] {shape.rows},
                        2);
        assertTrue(kernels.run("sum", spaced.operand, List.of(x.operand)));
        assertSums(spaced, x);
        List.of(x, y, spaced).forEach(TestOperand::release);
    }

    @Test
    void wholeNumbersWrap() {
        TestOperand x =
                TestOperand.contiguous(
                        device, HostArray.of(ElementType.INT64, Long.MAX_VALUE, 5L, 1L << 60, 3L));
        TestOperand y = TestOperand.contiguous(device, new HostArray(ElementType.INT64, 2));
        assertTrue(kernels.run("sum", y.operand, List.of(x.operand)));
        assertEquals(Long.MAX_VALUE + 5, y.read().getWhole(0));
        assertEquals((1L << 60) + 3, y.read().getWhole(1));
    }

    /** The parts of a row are float32: here they exceed float16, and the precision of bfloat16. */
    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16"})
    void largePartsOfASmallSumAreKept(ElementType type) {
        var numbers = new HostArray(type, 1 << 13);
        for (int i = 0; i < numbers.length; i++) {
            numbers.set(i, i < numbers.length / 2 ? 60 : -60);
        }
        numbers.set(0, 67);
        TestOperand x = TestOperand.contiguous(device, numbers);
        TestOperand y = TestOperand.contiguous(device, new HostArray(type, 1));
        long before = FakeCuda.count("fakeLaunches");
        assertTrue(kernels.run("sum", y.operand, List.of(x.operand)));
        assertEquals(7, y.read().get(0));
        assertEquals(2, FakeCuda.count("fakeLaunches") - before);
        List.of(x, y).forEach(TestOperand::release);
    }

    @Test
    void sumsOfNoTermsAre0() {
        TestOperand x =
                TestOperand.of(device, new HostArray(ElementType.FLOAT64, 0), 0, new int[] {0}, 1);
        TestOperand y = TestOperand.contiguous(device, HostArray.of(ElementType.FLOAT64, 3.0, 4));
        assertTrue(kernels.run("sum", y.operand, List.of(x.operand)));
        assertEquals(0, y.read().get(0));
        assertEquals(0, y.read().get(1));
    }

    @Test
    void numbersAreLeftToTheHost() {
        TestOperand y = TestOperand.contiguous(device, new HostArray(ElementType.FLOAT64, 2));
        TestOperand number = TestOperand.number(ElementType.FLOAT64, 1.5);
        assertFalse(kernels.run("sum", y.operand, List.of(number.operand)));
        assertFalse(kernels.has("sum", ElementType.INT32));
    }
}
