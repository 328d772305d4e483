package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.DeviceComparison.CUDA;
import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.rule.DropoutRules;
import org.gradwire.tensor.testing.NeedsDevices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Function;
import java.util.random.RandomGenerator;

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

    /** Counts the numbers that it is asked for. */
    private static final class Counting implements RandomGenerator {
        private final Random random = new Random(11);
        private int count;

        @Override
        public long nextLong() {
            count++;
            return random.nextLong();
        }
    }

    /** One key a call; the generator of the host draws nothing else. */
    @Test
    void samplesAreDrawnOnTheDevice() {
        Tensor weights = Tensor.rand(new Random(3), 20, 70).to(CUDA);
        List<Function<RandomGenerator, Tensor>> samples =
                List.of(
                        weights::bernoulli,
                        generator -> weights.multinomial(generator, 100, true),
                        generator -> weights.multinomial(generator, 30, false));
        for (Function<RandomGenerator, Tensor> sample : samples) {
            var generator = new Counting();
            Tensor first = sample.apply(generator);
            assertEquals(CUDA, first.device());
            assertTrue(!DeviceComparison.hasKernels() || generator.count == 1);
            assertFalse(first.equal(sample.apply(generator)));
            assertTrue(first.equal(sample.apply(new Counting())));
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void onesHaveTheirProbabilities(DType dtype) {
        Tensor p = Tensor.full(0.25, 200, 250).to(dtype).to(CUDA);
        Tensor drawn = p.bernoulli(new Random(5));
        assertEquals(dtype, drawn.dtype());
        assertEquals(0.25, drawn.to(DType.FLOAT64).mean().item(), 0.01);
        Tensor sure = Tensor.of(0f, 1, 0, 1).to(dtype).to(CUDA);
        assertTrue(sure.equal(sure.bernoulli(new Random(5))));
        assertFails(
                IllegalArgumentException.class,
                "bernoulli: a probability must be from 0 to 1, but element 1 is 1.5",
                () -> Tensor.of(0.5, 1.5).to(CUDA).bernoulli(new Random(5)));
    }

    @ParameterizedTest
    @EnumSource(names = {"FLOAT16", "BFLOAT16", "FLOAT32", "FLOAT64"})
    void numbersAreDrawnInProportion(DType dtype) {
        Tensor weights = Tensor.of(new float[][] {{1, 0, 3}, {0, 0, 2}}).to(dtype).to(CUDA);
        Tensor drawn = weights.multinomial(new Random(5), 20_000, true);
        assertArrayEquals(new int[] {2, 20_000}, drawn.shape());
        assertEquals(CUDA, drawn.device());
        Tensor first = drawn.select(0, 0);
        assertEquals(0.25, first.eq(0).to(DType.FLOAT32).mean().item(), 0.015);
        assertFalse(first.eq(1).any().itemAsBoolean());
        assertTrue(drawn.select(0, 1).eq(2).all().itemAsBoolean());
    }

    /** With more weights than a block of threads has, of which a few count. */
    @Test
    void rareElementsAreDrawnInProportion() {
        float[] weights = new float[3000];
        weights[700] = 2;
        weights[2999] = 6;
        Tensor there = Tensor.of(weights).to(CUDA);
        Tensor drawn = there.multinomial(new Random(5), 10_000, true);
        assertEquals(0.25, drawn.eq(700).to(DType.FLOAT32).mean().item(), 0.02);
        assertEquals(0.75, drawn.eq(2999).to(DType.FLOAT32).mean().item(), 0.02);
        long[] both = there.multinomial(new Random(5), 2, false).toLongArray();
        assertArrayEquals(new long[] {700, 2999}, Arrays.stream(both).sorted().toArray());
    }

    @Test
    void largeAndSmallWeightsAreDrawn() {
        Tensor large = Tensor.of(1e308, 1e308).to(CUDA).multinomial(new Random(5), 100, true);
        double second = large.to(DType.FLOAT64).mean().item();
        assertTrue(second > 0.3 && second < 0.7, "mean " + second);
        Tensor tiny = Tensor.of(0.0, Double.MIN_VALUE, 0, 1e300).to(CUDA);
        assertArrayEquals(
                new long[] {3, 1}, tiny.multinomial(new Random(5), 2, false).toLongArray());
    }

    @Test
    void elementsAreDrawnOnceInProportion() {
        Tensor weights = Tensor.of(1.0, 0, 8, 1).expand(4000, 4).to(CUDA);
        Tensor drawn = weights.multinomial(new Random(5), 3, false);
        assertEquals(0.8, drawn.select(1, 0).eq(2).to(DType.FLOAT32).mean().item(), 0.03);
        Tensor sums = Ops.prod(drawn.add(1), 1, false); // of the numbers 0, 2 and 3
        assertTrue(sums.eq(12).all().itemAsBoolean());
        Tensor all = Tensor.ones(300).to(CUDA).multinomial(new Random(5), 300, false);
        assertArrayEquals(
                Tensor.arange(300).toLongArray(),
                Arrays.stream(all.toLongArray()).sorted().toArray());
    }

    @Test
    void weightsThatAreNoneAreRefused() {
        Tensor negative = Tensor.of(new double[][] {{1, 2}, {1, -1}}).to(CUDA);
        assertFails(
                IllegalArgumentException.class,
                "probability tensor contains either `inf`, `nan` or element < 0: -1.0",
                () -> negative.multinomial(new Random(5), 1, true));
        assertFails(
                IllegalArgumentException.class,
                "invalid multinomial distribution (sum of probabilities <= 0)",
                () -> Tensor.zeros(3).to(CUDA).multinomial(new Random(5), 1, true));
        assertFails(
                IllegalArgumentException.class,
                "multinomial without replacement draws at most one sample for each element that is not zero, but got 4 samples of 3 such elements",
                () -> Tensor.of(1.0, 0, 8, 1).to(CUDA).multinomial(new Random(5), 4, false));
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
