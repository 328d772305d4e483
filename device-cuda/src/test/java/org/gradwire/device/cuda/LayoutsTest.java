package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Kernels of elements over operands of all layouts. */
@NeedsFakeCuda
class LayoutsTest {
    private static final int COUNT = 720;

    private final CudaDevice device = FakeCuda.device(0);
    private final CudaKernels kernels = new CudaKernels(false);
    private final SplittableRandom random = new SplittableRandom(FakeCuda.SEED);

    /** Layouts of 720 elements. */
    enum Layout {
        CONTIGUOUS(3, new int[] {COUNT}, 1),
        TRANSPOSED(0, new int[] {24, 30}, 1, 24),
        SPACED(5, new int[] {COUNT}, 3),
        EIGHT_DIMENSIONS(1, new int[] {2, 3, 2, 1, 5, 2, 3, 2}, 1, 2, 6, 0, 12, 60, 120, 360),
        BACKWARD(COUNT - 1, new int[] {COUNT}, -1),
        ROWS_REPEATED(0, new int[] {24, 30}, 0, 1),
        COLUMNS_REPEATED(2, new int[] {24, 30}, 1, 0),
        ONE_ELEMENT(7, new int[] {COUNT}, 0),
        NO_DIMENSIONS(4, new int[0]);

        final int offset;
        final int[] sizes;
        final int[] strides;

        Layout(int offset, int[] sizes, int... strides) {
            this.offset = offset;
            this.sizes = sizes;
            this.strides = strides;
        }
    }

    private static final List<Layout> RESULTS =
            List.of(
                    Layout.CONTIGUOUS,
                    Layout.TRANSPOSED,
                    Layout.SPACED,
                    Layout.EIGHT_DIMENSIONS,
                    Layout.BACKWARD);

    /** Each layout of a result and of a first input; the second input takes each layout in turn. */
    static Stream<Arguments> layouts() {
        List<Arguments> layouts = new ArrayList<>();
        Layout[] all = Layout.values();
        for (Layout result : RESULTS) {
            for (Layout first : all) {
                Layout second = all[layouts.size() % all.length];
                layouts.add(Arguments.of(result, first, second));
            }
        }
        return layouts.stream();
    }

    private TestOperand operand(ElementType type, Layout layout) {
        var numbers = new HostArray(type, 3 * COUNT + 10);
        for (int i = 0; i < numbers.length; i++) {
            numbers.set(i, random.nextInt(100));
        }
        return TestOperand.of(device, numbers, layout.offset, layout.sizes, layout.strides);
    }

    @ParameterizedTest
    @MethodSource("layouts")
    void elementsCorrespondInRowMajorOrder(Layout result, Layout first, Layout second) {
        System.out.println("seed " + FakeCuda.SEED);
        TestOperand y = operand(ElementType.FLOAT32, result);
        TestOperand a = operand(ElementType.FLOAT32, first);
        TestOperand b = operand(ElementType.FLOAT32, second);
        assertTrue(kernels.run("sub", y.operand, List.of(a.operand, b.operand)));
        KernelChecks.assertFloating("sub", y, a, b);
        TestOperand number = TestOperand.number(ElementType.FLOAT32, 2.5);
        assertTrue(kernels.run("sub", y.operand, List.of(a.operand, number.operand)));
        KernelChecks.assertFloating("sub", y, a, number);
        assertTrue(kernels.run("sub", y.operand, List.of(number.operand, b.operand)));
        KernelChecks.assertFloating("sub", y, number, b);
        List.of(y, a, b).forEach(TestOperand::release);
    }

    @ParameterizedTest
    @MethodSource("results")
    void aResultMayBeItsInput(Layout layout) {
        TestOperand y = operand(ElementType.INT64, layout);
        TestOperand number = TestOperand.number(ElementType.INT64, 1L << 40);
        assertTrue(kernels.run("mul", y.operand, List.of(y.operand, number.operand)));
        KernelChecks.assertWhole("mul", y, y, number);
        y.release();
    }

    static List<Layout> results() {
        return RESULTS;
    }

    @ParameterizedTest
    @MethodSource("results")
    void nineDimensionsAreLeftToTheHost(Layout layout) {
        int[] ones = new int[9];
        Arrays.fill(ones, 1);
        TestOperand nine =
                TestOperand.of(device, new HostArray(ElementType.FLOAT32, 1), 0, ones, ones);
        TestOperand y = operand(ElementType.FLOAT32, layout);
        List<Operand> inputs = List.of(nine.operand, nine.operand);
        assertFalse(kernels.run("sub", y.operand, inputs));
        assertFalse(kernels.run("sub", nine.operand, List.of(y.operand, y.operand)));
        HostArray after = y.read();
        KernelChecks.assertRestIsKept(y.before(), after, new boolean[after.length]);
        y.release();
    }
}
