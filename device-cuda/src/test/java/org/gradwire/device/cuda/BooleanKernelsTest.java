package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.device.ElementType;
import org.gradwire.spi.device.Operand;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.List;
import java.util.TreeSet;

/** Kernels whose result is bool, and the choice between two elements. */
@NeedsFakeCuda
class BooleanKernelsTest {
    private static final double[] FLOATING = {
        Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 0.0, -0.0, 1, -2.5, 30_000
    };
    private static final double[] WHOLE = {0, 1, -1, 7, 1 << 20, -5};
    private static final double[] BOOL = {0, 1};

    private final CudaDevice device = FakeCuda.device(0);
    private final CudaKernels kernels = new CudaKernels(false);

    private static double[] numbers(ElementType type) {
        return type == ElementType.BOOL ? BOOL : type.isFloating() ? FLOATING : WHOLE;
    }

    /** {@return each number with each other one, in the first or the second operand} */
    private TestOperand pairs(ElementType type, boolean isSecond) {
        double[] numbers = numbers(type);
        var pairs = new HostArray(type, numbers.length * numbers.length);
        for (int i = 0; i < pairs.length; i++) {
            pairs.set(i, numbers[isSecond ? i % numbers.length : i / numbers.length]);
        }
        return TestOperand.contiguous(device, pairs);
    }

    @ParameterizedTest
    @EnumSource
    void testsAreThoseOfJava(ElementType type) {
        TestOperand a = pairs(type, false);
        TestOperand b = pairs(type, true);
        int count = (int) a.operand.count();
        TestOperand y = TestOperand.contiguous(device, new HostArray(ElementType.BOOL, count));
        var names = new TreeSet<>(Expressions.BOOLEAN.keySet());
        List.of("where", "is_no_label").forEach(names::remove); // they have three inputs
        for (String name : names) {
            boolean unary = name.startsWith("is_");
            List<Operand> inputs = unary ? List.of(a.operand) : List.of(a.operand, b.operand);
            assertTrue(kernels.run(name, y.operand, inputs), name);
            HostArray actual = y.read();
            for (int i = 0; i < count; i++) {
                double expected = Reference.test(name).test(a.at(i), b.at(i)) ? 1 : 0;
                assertEquals(
                        expected,
                        actual.get(i),
                        "%s %s of %s and %s".formatted(name, type, a.at(i), b.at(i)));
            }
        }
        List.of(a, b, y).forEach(TestOperand::release);
    }

    @ParameterizedTest
    @EnumSource
    void oneOfTwoElementsIsChosen(ElementType type) {
        TestOperand a = pairs(type, false);
        TestOperand b = pairs(type, true);
        int count = (int) a.operand.count();
        var conditions = new HostArray(ElementType.BOOL, count);
        for (int i = 0; i < count; i++) {
            conditions.set(i, i % 3 == 0 ? 1 : 0);
        }
        TestOperand condition = TestOperand.contiguous(device, conditions);
        TestOperand y = TestOperand.contiguous(device, new HostArray(type, count));
        assertTrue(
                kernels.run("where", y.operand, List.of(condition.operand, a.operand, b.operand)));
        HostArray actual = y.read();
        for (int i = 0; i < count; i++) {
            assertEquals(i % 3 == 0 ? a.at(i) : b.at(i), actual.get(i), "at " + i);
        }
        List.of(a, b, condition, y).forEach(TestOperand::release);
    }
}
