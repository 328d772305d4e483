package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** Each kernel of a pointwise loss and its gradients, for each type, against Java. */
@NeedsFakeCuda
class LossKernelsTest {
    private static final int COUNT = 500;

    private final CudaDevice device = FakeCuda.device(0);
    private final CudaKernels kernels = new CudaKernels(false);
    private final SplittableRandom random = new SplittableRandom(FakeCuda.SEED);

    static Stream<Arguments> kernels() {
        return LossReference.FUNCTIONS.keySet().stream()
                .flatMap(name -> floating().map(type -> Arguments.of(name, type)));
    }

    private static Stream<ElementType> floating() {
        return Stream.of(ElementType.values()).filter(ElementType::isFloating);
    }

    /** Numbers that can be probabilities. */
    private HostArray numbers(ElementType type) {
        var numbers = new HostArray(type, COUNT);
        for (int i = 0; i < COUNT; i++) {
            numbers.set(i, random.nextDouble(0.05, 0.95));
        }
        return numbers;
    }

    /** The last inputs are numbers, those before them elements. */
    private List<TestOperand> inputs(String name, ElementType type) {
        List<TestOperand> inputs = new ArrayList<>();
        for (int i = 0; i < LossReference.elements(name); i++) {
            inputs.add(TestOperand.contiguous(device, numbers(type)));
        }
        for (int i = 0; i < LossReference.numbers(name); i++) {
            inputs.add(TestOperand.number(type, i == 0 ? 0.25 : 0.375));
        }
        return inputs;
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("kernels")
    void resultsAreThoseOfJava(String name, ElementType type) {
        System.out.println("seed " + FakeCuda.SEED);
        assertTrue(kernels.has(name, type));
        List<TestOperand> inputs = inputs(name, type);
        TestOperand y = TestOperand.contiguous(device, new HostArray(type, COUNT));
        assertTrue(kernels.run(name, y.operand, operands(inputs)));
        HostArray actual = y.read();
        for (int i = 0; i < COUNT; i++) {
            int at = i;
            double[] x = inputs.stream().mapToDouble(input -> input.at(at)).toArray();
            double expected = LossReference.of(name).applyAsDouble(x);
            KernelChecks.assertNear(type, expected, actual.get(i), name + " of element " + i);
        }
        y.release();
        inputs.forEach(TestOperand::release);
    }

    private static List<Operand> operands(List<TestOperand> inputs) {
        return inputs.stream().map(input -> input.operand).toList();
    }

    /** The layouts of many operands differ in one that is not among the last four. */
    @Test
    void kernelsOfSixInputsKnowAllLayouts() {
        System.out.println("seed " + FakeCuda.SEED);
        ElementType type = ElementType.FLOAT32;
        String name = "logit_cross_entropy_gradient";
        List<Operand> inputs = operands(inputs(name, type));
        TestOperand plain = TestOperand.contiguous(device, new HostArray(type, COUNT));
        assertTrue(kernels.run(name, plain.operand, inputs));
        HostArray elements = new HostArray(type, 2 * COUNT);
        TestOperand apart = TestOperand.of(device, elements, 1, new int[] {COUNT}, 2);
        assertTrue(kernels.run(name, apart.operand, inputs));
        HostArray expected = plain.read();
        HostArray actual = apart.read();
        for (int i = 0; i < COUNT; i++) {
            assertEquals(expected.get(i), actual.get(2 * i + 1), "element " + i);
            assertEquals(0, actual.get(2 * i), "outside the result");
        }
    }

    @Test
    void numbersThatAreNoProbabilitiesAreFound() {
        double[] numbers = {0, 1, 0.5, -1e-3, 1.5, Double.NaN, Double.POSITIVE_INFINITY, -0.0};
        double[] expected = {0, 0, 0, 1, 1, 1, 1, 0};
        for (ElementType type : floating().toList()) {
            TestOperand x = TestOperand.contiguous(device, HostArray.of(type, numbers));
            TestOperand y =
                    TestOperand.contiguous(device, new HostArray(ElementType.BOOL, numbers.length));
            assertTrue(kernels.run("is_no_probability", y.operand, List.of(x.operand)));
            HostArray actual = y.read();
            for (int i = 0; i < numbers.length; i++) {
                assertEquals(expected[i], actual.get(i), type + " " + numbers[i]);
            }
        }
    }

    @Test
    void labelsOutsideOfTheClassesAreFound() {
        HostArray labels = HostArray.of(ElementType.INT64, 0L, 4, 5, -1, -100, Long.MIN_VALUE);
        double[] expected = {0, 0, 1, 1, 0, 1};
        TestOperand x = TestOperand.contiguous(device, labels);
        TestOperand y = TestOperand.contiguous(device, new HostArray(ElementType.BOOL, 6));
        Operand ignored = Operand.number(ElementType.INT64, -100L);
        Operand classes = Operand.number(ElementType.INT64, 5L);
        assertTrue(kernels.run("is_no_label", y.operand, List.of(x.operand, ignored, classes)));
        HostArray actual = y.read();
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], actual.get(i), "label " + labels.getWhole(i));
        }
    }
}
