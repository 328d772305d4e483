package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.device.ElementType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Copies from each type to each other one, as Java's casts. */
@NeedsFakeCuda
class CopyKernelsTest {
    private static final double[] SPECIAL = {
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        0.0,
        -0.0,
        0.9,
        -0.9,
        2.5,
        65504,
        65520,
        1e-7,
        2147483647.0,
        2147483648.0,
        -2147483648.0,
        -2147483649.0,
        9.3e18,
        -9.3e18,
        1e38,
        4e38,
        1e300,
        1e-40
    };
    private static final long[] WHOLE = {
        0,
        1,
        -1,
        255,
        256,
        65519,
        65520,
        16_777_217,
        Integer.MAX_VALUE,
        Integer.MIN_VALUE,
        1L << 31,
        1L << 40,
        (1L << 53) + 1,
        Long.MAX_VALUE,
        Long.MIN_VALUE
    };

    private final CudaDevice device = FakeCuda.device(1);
    private final CudaKernels kernels = new CudaKernels(false);

    static Stream<Arguments> pairs() {
        return Stream.of(ElementType.values())
                .flatMap(from -> Stream.of(ElementType.values()).map(to -> Arguments.of(from, to)));
    }

    private static HostArray numbers(ElementType type) {
        var random = new SplittableRandom(FakeCuda.SEED);
        int special = type.isFloating() ? SPECIAL.length : WHOLE.length;
        var numbers = new HostArray(type, 2 * (special + 50));
        for (int i = 0; i < numbers.length; i++) {
            if (i >= special) {
                numbers.set(i, random.nextGaussian() * Math.pow(2, random.nextInt(70)));
            } else if (type.isFloating()) {
                numbers.set(i, SPECIAL[i]);
            } else {
                numbers.setWhole(i, WHOLE[i]);
            }
        }
        return numbers;
    }

    private static HostArray converted(TestOperand x, ElementType from, ElementType to) {
        var converted = new HostArray(to, (int) x.operand.count());
        for (int i = 0; i < converted.length; i++) {
            if (from.isFloating()) {
                converted.set(i, x.at(i));
            } else {
                converted.setWhole(i, x.wholeAt(i));
            }
        }
        return converted;
    }

    private static void assertSame(HostArray expected, HostArray actual, TestOperand x) {
        for (int i = 0; i < expected.length; i++) {
            String what = "%s to %s".formatted(x.at(i), expected.type);
            assertEquals(expected.get(i), actual.get(i), what);
            assertEquals(expected.getWhole(i), actual.getWhole(i), what);
        }
    }

    @ParameterizedTest(name = "{0} to {1}")
    @MethodSource("pairs")
    void numbersAreConvertedAsByJavasCasts(ElementType from, ElementType to) {
        System.out.println("seed " + FakeCuda.SEED);
        HostArray numbers = numbers(from);
        TestOperand x = TestOperand.contiguous(device, numbers);
        TestOperand y = TestOperand.contiguous(device, new HostArray(to, numbers.length));
        assertTrue(kernels.run("copy", y.operand, List.of(x.operand)));
        assertSame(converted(x, from, to), y.read(), x);
        List.of(x, y).forEach(TestOperand::release);
    }

    @ParameterizedTest
    @EnumSource
    void stridedElementsAreCopied(ElementType type) {
        HostArray numbers = numbers(type);
        int[] sizes = {numbers.length / 2, 2};
        TestOperand x = TestOperand.of(device, numbers, 0, sizes, 1, numbers.length / 2);
        TestOperand y = TestOperand.contiguous(device, new HostArray(type, numbers.length));
        assertTrue(kernels.run("copy", y.operand, List.of(x.operand)));
        assertSame(converted(x, type, type), y.read(), x);
        List.of(x, y).forEach(TestOperand::release);
    }

    @ParameterizedTest
    @EnumSource
    void aNumberFillsAllElements(ElementType type) {
        TestOperand x =
                type.isFloating()
                        ? TestOperand.number(type, -1.5)
                        : TestOperand.number(type, type == ElementType.BOOL ? 1L : -3L);
        TestOperand y = TestOperand.of(device, new HostArray(type, 21), 1, new int[] {10}, 2);
        assertTrue(kernels.run("copy", y.operand, List.of(x.operand)));
        HostArray filled = y.read();
        for (int i = 0; i < filled.length; i++) {
            assertEquals(i % 2 == 1 ? x.at(0) : 0, filled.get(i));
        }
    }

    @ParameterizedTest
    @EnumSource
    void contiguousElementsAreCopiedWithoutAKernel(ElementType type) {
        long before = FakeCuda.count("fakeLaunches");
        HostArray numbers = numbers(type);
        int count = numbers.length - 3;
        TestOperand x = TestOperand.of(device, numbers, 3, new int[] {count}, 1);
        TestOperand y =
                TestOperand.of(device, new HostArray(type, count + 2), 2, new int[] {count}, 1);
        assertTrue(kernels.run("copy", y.operand, List.of(x.operand)));
        HostArray copied = y.read();
        for (int i = 0; i < count; i++) {
            assertEquals(x.at(i), copied.get(i + 2));
        }
        assertEquals(0, copied.get(0));
        assertEquals(0, copied.get(1));
        assertEquals(before, FakeCuda.count("fakeLaunches"));
    }
}
