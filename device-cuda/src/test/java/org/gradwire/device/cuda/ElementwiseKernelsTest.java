package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Each kernel of elements and type, against Java. */
@NeedsFakeCuda
class ElementwiseKernelsTest {
    private static final int COUNT = 96;
    private static final List<String> OF_MORE_INPUTS = List.of("add_scaled", "where");
    private static final double[] SPECIAL = {
        Double.NaN,
        Double.POSITIVE_INFINITY,
        Double.NEGATIVE_INFINITY,
        0.0,
        -0.0,
        1,
        -1,
        0.5,
        -2.5,
        30_000,
        -30_000,
        1e-3
    };

    private final CudaDevice device = FakeCuda.device(0);
    private final CudaKernels kernels = new CudaKernels(false);
    private final SplittableRandom random = new SplittableRandom(FakeCuda.SEED);

    static Stream<Arguments> kernels() {
        List<Arguments> kernels = new ArrayList<>();
        for (ElementType type : ElementType.values()) {
            Set<String> names =
                    type.isFloating() ? Reference.FLOATING.keySet() : Reference.WHOLE.keySet();
            if (type != ElementType.BOOL) {
                new TreeSet<>(names).forEach(name -> kernels.add(Arguments.of(name, type)));
            }
        }
        return kernels.stream();
    }

    @Test
    void referenceKnowsAllKernels() {
        var floating = new TreeSet<>(Reference.FLOATING.keySet());
        floating.addAll(OF_MORE_INPUTS);
        floating.addAll(LossReference.FUNCTIONS.keySet());
        assertEquals(new TreeSet<>(Expressions.FLOATING.keySet()), floating);
        var whole = new TreeSet<>(Reference.WHOLE.keySet());
        whole.addAll(List.of("add_scaled", "where"));
        assertEquals(new TreeSet<>(Expressions.WHOLE.keySet()), whole);
    }

    @Test
    void otherNamesAndTypesAreNotThere() {
        assertFalse(kernels.has("unknown", ElementType.FLOAT32));
        assertFalse(kernels.has("exp", ElementType.INT64));
        assertFalse(kernels.has("sub", ElementType.BOOL));
        assertFalse(kernels.has("eq", ElementType.INT64));
        assertTrue(kernels.has("add", ElementType.BOOL));
        assertTrue(kernels.has("copy", ElementType.BOOL));
        assertTrue(kernels.has("add", ElementType.INT32));
        assertTrue(kernels.has("exp", ElementType.BFLOAT16));
    }

    /** Each special number meets each other one. */
    private HostArray numbers(ElementType type, boolean isSecond) {
        var numbers = new HostArray(type, SPECIAL.length * SPECIAL.length + COUNT);
        for (int i = 0; i < numbers.length; i++) {
            double number = random.nextGaussian() * 4;
            if (i < SPECIAL.length * SPECIAL.length) {
                number = SPECIAL[isSecond ? i % SPECIAL.length : i / SPECIAL.length];
            }
            numbers.set(i, number);
        }
        return numbers;
    }

    private HostArray wholes(ElementType type, boolean isSecond) {
        long most = type == ElementType.INT32 ? Integer.MAX_VALUE : Long.MAX_VALUE;
        long[] special = {0, 1, -1, 7, most, -most, -most - 1, 1L << 20};
        var numbers = new HostArray(type, special.length * special.length + COUNT);
        for (int i = 0; i < numbers.length; i++) {
            long number = random.nextLong(-50, 50);
            if (i < special.length * special.length) {
                number = special[isSecond ? i % special.length : i / special.length];
            }
            numbers.setWhole(i, number);
        }
        return numbers;
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("kernels")
    void resultsAreThoseOfJava(String name, ElementType type) {
        System.out.println("seed " + FakeCuda.SEED);
        boolean floats = type.isFloating();
        HostArray first = floats ? numbers(type, false) : wholes(type, false);
        HostArray second = floats ? numbers(type, true) : wholes(type, true);
        TestOperand a = TestOperand.contiguous(device, first);
        TestOperand b = TestOperand.contiguous(device, second);
        TestOperand y = TestOperand.contiguous(device, new HostArray(type, first.length));
        List<Operand> inputs =
                isUnary(name, type) ? List.of(a.operand) : List.of(a.operand, b.operand);
        assertTrue(kernels.run(name, y.operand, inputs));
        if (floats) {
            KernelChecks.assertFloating(name, y, a, b);
        } else {
            KernelChecks.assertWhole(name, y, a, b);
        }
        List.of(a, b, y).forEach(TestOperand::release);
    }

    private static boolean isUnary(String name, ElementType type) {
        String expression = String.valueOf(Expressions.of(name, type));
        return !expression.matches(".*\\bb\\b.*");
    }

    @ParameterizedTest
    @MethodSource("types")
    void scaledNumbersAreAdded(ElementType type) {
        HostArray numbers = HostArray.of(type, 1.0, 2, -3, 100);
        TestOperand y = TestOperand.contiguous(device, numbers);
        TestOperand x = TestOperand.contiguous(device, HostArray.of(type, 5.0, -6, 7, 0));
        Operand scale = type.isFloating() ? Operand.number(type, 0.5) : Operand.number(type, 3L);
        assertTrue(kernels.run("add_scaled", y.operand, List.of(y.operand, x.operand, scale)));
        double factor = type.isFloating() ? 0.5 : 3;
        HostArray sums = y.read();
        for (int i = 0; i < 4; i++) {
            assertEquals(y.at(i) + factor * x.at(i), sums.get(i));
        }
    }

    /** The slope of the error, times the flow into a mean and a factor. */
    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void gradientsOfErrorsAreScaled(ElementType type) {
        TestOperand a = TestOperand.contiguous(device, HostArray.of(type, 5.0, -6, 7, 0.5));
        TestOperand b = TestOperand.contiguous(device, HostArray.of(type, 3.0, -2, 7, 0.25));
        TestOperand flow = TestOperand.of(device, HostArray.of(type, 0.5), 0, new int[] {4}, 0);
        TestOperand y = TestOperand.contiguous(device, new HostArray(type, 4));
        List<Operand> inputs =
                List.of(a.operand, b.operand, flow.operand, Operand.number(type, 0.25));
        assertTrue(kernels.run("squared_error_gradient", y.operand, inputs));
        assertEquals(List.of(0.5, -1.0, 0.0, 0.0625), numbers(y.read()));
        assertTrue(kernels.run("absolute_error_gradient", y.operand, inputs));
        assertEquals(List.of(0.125, -0.125, 0.0, 0.125), numbers(y.read()));
        List.of(a, b, flow, y).forEach(TestOperand::release);
    }

    private static List<Double> numbers(HostArray array) {
        return IntStream.range(0, array.length).mapToObj(array::get).toList();
    }

    static List<ElementType> types() {
        return Stream.of(ElementType.values()).filter(t -> t != ElementType.BOOL).toList();
    }

    /** A kernel that reads four elements at once is not that for elements elsewhere. */
    @Test
    void elementsThatAreNotAlignedAreReadOneByOne() {
        ElementType type = ElementType.FLOAT32;
        int count = 1 << 13;
        HostArray numbers = new HostArray(type, count + 1);
        HostArray mask = new HostArray(ElementType.BOOL, count + 1);
        for (int i = 0; i <= count; i++) {
            numbers.set(i, i);
            mask.set(i, i % 3 == 0 ? 1 : 0);
        }
        for (int offset : new int[] {0, 1}) {
            int[] sizes = {count};
            TestOperand x = TestOperand.of(device, numbers, offset, sizes, 1);
            TestOperand chosen = TestOperand.of(device, mask, offset, sizes, 1);
            TestOperand y = TestOperand.contiguous(device, new HostArray(type, count));
            Operand none = Operand.number(type, -1.0);
            List<Operand> inputs = List.of(chosen.operand, x.operand, none);
            assertTrue(kernels.run("where", y.operand, inputs));
            HostArray actual = y.read();
            for (int i = 0; i < count; i++) {
                int at = i + offset;
                assertEquals(at % 3 == 0 ? at : -1, actual.get(i), "element " + i);
            }
        }
    }

    @Test
    void largeNumbersOverflowToInfinity() {
        for (ElementType type : List.of(ElementType.FLOAT32, ElementType.FLOAT64)) {
            double large = type == ElementType.FLOAT32 ? 3e38 : 1.7e308;
            TestOperand x = TestOperand.contiguous(device, HostArray.of(type, large, -large));
            TestOperand y = TestOperand.contiguous(device, new HostArray(type, 2));
            kernels.run("add", y.operand, List.of(x.operand, x.operand));
            assertEquals(Double.POSITIVE_INFINITY, y.read().get(0));
            assertEquals(Double.NEGATIVE_INFINITY, y.read().get(1));
        }
    }

    @Test
    void emptyResultsNeedNoWork() {
        long before = FakeCuda.count("fakeLaunches");
        TestOperand x = TestOperand.contiguous(device, new HostArray(ElementType.FLOAT32, 0));
        TestOperand rows = TestOperand.number(ElementType.INT64, 3L);
        TestOperand whole = TestOperand.number(ElementType.INT64, 0L);
        for (String name : List.of("exp", "copy", "sum")) {
            assertTrue(kernels.run(name, x.operand, List.of(x.operand)), name);
        }
        assertTrue(kernels.run("softmax", x.operand, List.of(x.operand, rows.operand)));
        assertTrue(kernels.run("softmax", x.operand, List.of(x.operand, whole.operand)));
        assertEquals(before, FakeCuda.count("fakeLaunches"));
    }
}
