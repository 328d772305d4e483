package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.SplittableRandom;

/** Matrix products of all shapes and layouts. */
@NeedsFakeCuda
class ProductKernelsTest {
    private static final int[][] SHAPES = { // batch, m, k, n
        {1, 1, 1, 1},
        {1, 1, 7, 1},
        {1, 5, 1, 3},
        {1, 1, 4, 6},
        {1, 6, 4, 1},
        {1, 17, 9, 13},
        {3, 4, 5, 6},
        {2, 1, 3, 1},
        {4, 2, 1, 2}
    };

    private final CudaDevice device = FakeCuda.device(0);
    private final SplittableRandom random = new SplittableRandom(FakeCuda.SEED);

    private static Operand add(boolean accumulate) {
        return Operand.number(ElementType.INT64, accumulate ? 1L : 0L);
    }

    private HostArray numbers(ElementType type, int count) {
        var numbers = new HostArray(type, count);
        for (int i = 0; i < count; i++) {
            numbers.set(i, random.nextInt(17) - 8);
        }
        return numbers;
    }

    /** A batch of matrices, by rows or columns with a gap between them. */
    private TestOperand matrices(
            ElementType type, int batch, int rows, int columns, boolean transposed, int gap) {
        int step = (transposed ? rows : columns) + gap;
        int each = step * (transposed ? columns : rows) + gap;
        HostArray numbers = numbers(type, batch * each + 3);
        int[] sizes = {batch, rows, columns};
        return transposed
                ? TestOperand.of(device, numbers, 3, sizes, each, 1, step)
                : TestOperand.of(device, numbers, 3, sizes, each, step, 1);
    }

    private static double exact(TestOperand a, TestOperand b, int batch, int row, int column) {
        int rows = a.operand.sizes()[1];
        int inner = a.operand.sizes()[2];
        int columns = b.operand.sizes()[2];
        double sum = 0;
        for (int k = 0; k < inner; k++) {
            sum +=
                    a.at((batch * rows + row) * inner + k)
                            * b.at((batch * inner + k) * columns + column);
        }
        return sum;
    }

    private static void assertProduct(
            TestOperand y, TestOperand a, TestOperand b, boolean accumulate) {
        int[] sizes = y.operand.sizes();
        HostArray actual = y.read();
        boolean[] written = new boolean[actual.length];
        for (int i = 0; i < y.operand.count(); i++) {
            int column = i % sizes[2];
            int row = i / sizes[2] % sizes[1];
            double sum = exact(a, b, i / sizes[2] / sizes[1], row, column);
            int at = y.position(i);
            written[at] = true;
            double all = accumulate ? sum + y.at(i) : sum;
            KernelChecks.assertNear(actual.type, all, actual.get(at), "element " + i);
        }
        KernelChecks.assertRestIsKept(y.before(), actual, written);
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void productsOfAllShapesAndLayouts(ElementType type) {
        System.out.println("seed " + FakeCuda.SEED);
        for (int[] shape : SHAPES) {
            for (int kind = 0; kind < 16; kind++) {
                boolean accumulate = (kind & 1) != 0;
                int gap = (kind & 2) != 0 ? 2 : 0;
                TestOperand a = matrices(type, shape[0], shape[1], shape[2], (kind & 4) != 0, gap);
                TestOperand b = matrices(type, shape[0], shape[2], shape[3], (kind & 8) != 0, gap);
                TestOperand y = matrices(type, shape[0], shape[1], shape[3], false, gap);
                List<Operand> inputs = List.of(a.operand, b.operand, add(accumulate));
                assertTrue(new CudaKernels(false).run("matmul", y.operand, inputs));
                assertProduct(y, a, b, accumulate);
                List.of(a, b, y).forEach(TestOperand::release);
            }
        }
    }

    @Test
    void oneMatrixMayServeAWholeBatch() {
        TestOperand a = matrices(ElementType.FLOAT64, 3, 4, 5, false, 0);
        HostArray numbers = numbers(ElementType.FLOAT64, 30);
        TestOperand b = TestOperand.of(device, numbers, 0, new int[] {3, 5, 6}, 0, 6, 1);
        TestOperand y = matrices(ElementType.FLOAT64, 3, 4, 6, false, 0);
        List<Operand> inputs = List.of(a.operand, b.operand, add(false));
        assertTrue(new CudaKernels(false).run("matmul", y.operand, inputs));
        assertProduct(y, a, b, false);
    }

    @Test
    void layoutsThatCublasHasNotAreLeftToTheHost() {
        ElementType type = ElementType.FLOAT32;
        TestOperand a = matrices(type, 1, 4, 4, false, 0);
        TestOperand y = matrices(type, 1, 4, 4, false, 0);
        HostArray numbers = numbers(type, 64);
        int[] sizes = {1, 4, 4};
        TestOperand spaced = TestOperand.of(device, numbers, 0, sizes, 0, 8, 2);
        TestOperand repeated = TestOperand.of(device, numbers, 0, sizes, 0, 0, 1);
        TestOperand transposed = TestOperand.of(device, numbers, 0, sizes, 0, 1, 4);
        for (TestOperand b : List.of(spaced, repeated)) {
            assertIsLeft(y, a, b);
            assertIsLeft(y, b, a);
            assertIsLeft(b, a, a);
        }
        assertIsLeft(transposed, a, a);
        assertIsLeft(y, matrices(type, 1, 4, 0, false, 0), matrices(type, 1, 0, 4, false, 0));
    }

    private static void assertIsLeft(TestOperand y, TestOperand a, TestOperand b) {
        List<Operand> inputs = List.of(a.operand, b.operand, add(false));
        assertFalse(new CudaKernels(false).run("matmul", y.operand, inputs));
        HostArray after = y.read();
        KernelChecks.assertRestIsKept(y.before(), after, new boolean[after.length]);
    }

    @Test
    void tf32IsUsedWhenAskedFor() {
        ElementType type = ElementType.FLOAT32;
        TestOperand a =
                TestOperand.of(device, HostArray.of(type, 3.0, 2), 0, new int[] {1, 1, 2}, 2, 2, 1);
        TestOperand b =
                TestOperand.of(device, HostArray.of(type, 5.0, 7), 0, new int[] {1, 2, 1}, 2, 1, 1);
        TestOperand y =
                TestOperand.of(device, new HostArray(type, 1), 0, new int[] {1, 1, 1}, 1, 1, 1);
        List<Operand> inputs = List.of(a.operand, b.operand, add(false));
        assertTrue(new CudaKernels(true).run("matmul", y.operand, inputs));
        assertEquals(29, y.read().get(0));
    }

    @Test
    void wholeNumbersAreLeftToTheHost() {
        for (ElementType type : ElementType.values()) {
            assertEquals(type.isFloating(), new CudaKernels(false).has("matmul", type));
        }
    }
}
