package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.DeviceComparison.CUDA;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.rule.DropoutRules;
import org.gradwire.tensor.testing.NeedsDevices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;
import java.util.Random;

/** Random numbers on a device: their distribution, and their repetition by a seed. */
@NeedsDevices
class DeviceRandomTest {

    /** {@return whether there are devices for this run} */
    static boolean devicesAreThere() {
        return NeedsDevices.Condition.areThere();
    }

    private static Tensor uniform(long seed, DType dtype, double from, double to) {
        try (var _ = GradMode.noGrad()) {
            return Tensor.zeros(dtype, CUDA, 200, 250).uniform_(new Random(seed), from, to);
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void uniformNumbersRepeatWithTheirSeed(DType dtype) {
        Tensor drawn = uniform(3, dtype, -1, 3);
        assertTrue(drawn.equal(uniform(3, dtype, -1, 3)));
        assertFalse(drawn.equal(uniform(4, dtype, -1, 3)));
        double[] numbers = drawn.toDoubleArray();
        assertTrue(Arrays.stream(numbers).allMatch(x -> x >= -1 && x < 3));
        assertEquals(1, Arrays.stream(numbers).average().orElseThrow(), 0.03);
        double below = Arrays.stream(numbers).filter(x -> x < 0).count();
        assertEquals(0.25, below / numbers.length, 0.02);
        assertArrayEquals(
                new double[] {5}, uniform(1, dtype, 5, 5).view(-1).narrow(0, 0, 1).toDoubleArray());
    }

    @Test
    void normalNumbersHaveTheirMeanAndDeviation() {
        Tensor x = Tensor.zeros(DType.FLOAT32, CUDA, 500, 200);
        x.select(1, 0).normal_(new Random(3), 10, 0);
        x.narrow(1, 1, 199).normal_(new Random(3), 2, 0.5);
        double[] first = x.select(1, 0).toDoubleArray();
        assertTrue(Arrays.stream(first).allMatch(number -> number == 10));
        Tensor rest = x.narrow(1, 1, 199).to(DType.FLOAT64);
        assertEquals(2, rest.mean().item(), 0.01);
        assertEquals(0.25, rest.sub(2).square().mean().item(), 0.01);
        double far = rest.sub(2).abs().gt(1).to(DType.FLOAT64).mean().item();
        assertEquals(0.0455, far, 0.004); // by more than two deviations
    }

    @Test
    void dropoutKeepsTheExpectation() {
        Tensor x = Tensor.ones(300, 301).to(CUDA).requiresGrad(true);
        Tensor y = DropoutRules.dropout(x, 0.25, true, new Random(5));
        Tensor kept = y.detach().gt(0).to(DType.FLOAT64);
        assertEquals(0.75, kept.mean().item(), 0.01);
        assertEquals(1, y.detach().mean().item(), 0.01);
        y.sum().backward();
        assertTrue(DeviceComparison.gradient(x).equal(y.detach()));
        assertTrue(DropoutRules.dropout(x, 0.25, true, new Random(5)).equal(y));
    }

    @Test
    void numbersDrawnInPlaceAreChanges() {
        Tensor x = DeviceComparison.numbers(new Random(7), 50).to(CUDA).requiresGrad(true);
        Tensor w = DeviceComparison.numbers(new Random(7), 50).to(CUDA).requiresGrad(true);
        Tensor y = x.mul(w);
        GradMode.noGrad(() -> w.uniform_(new Random(1), 0, 1));
        assertThrows(IllegalStateException.class, () -> y.sum().backward());
    }
}
