package org.gradwire.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.nn.Init.FanMode;
import org.gradwire.nn.Init.Nonlinearity;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;

/** Initial values: their bounds, their spread, and that they follow from the generator. */
class InitTest {
    /** Filters of 6 inputs and 30 elements: 180 numbers go in, 1500 go out. */
    private static final int[] SHAPE = {50, 6, 5, 6};

    private static RandomGenerator random() {
        return new SplittableRandom(7);
    }

    private static Tensor weight() {
        return Tensor.full(9f, SHAPE).requiresGrad(true);
    }

    private static void assertUniform(double bound, Tensor tensor) {
        double[] values = tensor.toDoubleArray();
        double least = Arrays.stream(values).min().orElseThrow();
        double largest = Arrays.stream(values).max().orElseThrow();
        assertTrue(largest <= bound && largest > 0.99 * bound, () -> largest + " of " + bound);
        assertTrue(least >= -bound && least < -0.99 * bound, () -> least + " of " + -bound);
        assertSpread(0, bound / Math.sqrt(3), tensor);
    }

    private static void assertSpread(double mean, double std, Tensor tensor) {
        Tensor values = tensor.detach();
        assertEquals(mean, values.mean().item(), 0.05 * std);
        assertEquals(std, values.std().item(), 0.05 * std);
    }

    @Test
    void numbersAreFilledIn() {
        Tensor weight = Tensor.full(9f, 2, 3).requiresGrad(true);
        assertSame(weight, Init.constant_(weight, 0.5));
        assertArrayEquals(new float[] {.5f, .5f, .5f, .5f, .5f, .5f}, weight.toFloatArray());
        assertArrayEquals(new float[6], Init.zeros_(weight).toFloatArray());
        assertArrayEquals(new float[] {1, 1, 1, 1, 1, 1}, Init.ones_(weight).toFloatArray());
        assertArrayEquals(new float[] {1, 0, 0, 0, 1, 0}, Init.eye_(weight).toFloatArray());
        assertTrue(weight.isLeaf() && weight.requiresGrad());
    }

    @Test
    void randomNumbersHaveTheirDistribution() {
        assertUniform(0.5, Init.uniform_(weight(), -0.5, 0.5, random()));
        assertSpread(3, 0.5, Init.normal_(weight(), 3, 0.5, random()));
        assertUniform(2 * Math.sqrt(6.0 / 1680), Init.xavierUniform_(weight(), 2, random()));
        assertSpread(0, 2 * Math.sqrt(2.0 / 1680), Init.xavierNormal_(weight(), 2, random()));
        double gain = Nonlinearity.RELU.gain();
        assertUniform(
                Math.sqrt(6.0 / 180),
                Init.kaimingUniform_(weight(), FanMode.FAN_IN, gain, random()));
        assertUniform(
                Math.sqrt(6.0 / 1500),
                Init.kaimingUniform_(weight(), FanMode.FAN_OUT, gain, random()));
        assertSpread(
                0,
                Math.sqrt(2.0 / 180),
                Init.kaimingNormal_(weight(), FanMode.FAN_IN, gain, random()));
        assertSpread(
                0,
                Math.sqrt(2.0 / 1500),
                Init.kaimingNormal_(weight(), FanMode.FAN_OUT, gain, random()));
    }

    /** Mean and deviation of truncated standard normal distributions, from their formulas. */
    @ParameterizedTest
    @CsvSource({
        "-2, 2, 0, 0.8796",
        "-0.5, 1, 0.2059, 0.4097",
        "-1, 30, 0.2876, 0.7938",
        "2, 3, 2.3158, 0.2508",
        "-9, -3, -3.2831, 0.2656"
    })
    void truncatedNumbersHaveTheirDistribution(double a, double b, double mean, double std) {
        Tensor tensor = Tensor.zeros(DType.FLOAT64, 40_000);
        Init.truncNormal_(tensor, 10, 2, 10 + 2 * a, 10 + 2 * b, random());
        Tensor standard = tensor.sub(10).div(2);
        assertTrue(standard.min().item() >= a && standard.max().item() <= b);
        assertEquals(mean, standard.mean().item(), 0.02);
        assertEquals(std, standard.std().item(), 0.02);
    }

    @ParameterizedTest
    @CsvSource({"5,5", "3,8", "8,3", "1,4"})
    void orthogonalRowsOrColumnsAreAtRightAngles(int rows, int columns) {
        Tensor weight = Tensor.zeros(DType.FLOAT64, rows, columns);
        Init.orthogonal_(weight, 3, random());
        Tensor products = rows <= columns ? weight.mm(weight.t()) : weight.t().mm(weight);
        Tensor expected = Tensor.eye(DType.FLOAT64, products.size(0), products.size(0)).mul(9);
        assertTrue(products.allclose(expected, 0, 1e-12), products::toString);
        Tensor filters = Tensor.zeros(DType.FLOAT64, rows, columns, 1);
        assertTrue(Init.orthogonal_(filters, 3, random()).squeeze(2).equal(weight));
    }

    @Test
    void valuesFollowFromTheGeneratorOnAnyDevice() {
        for (Consumer<Tensor> init :
                Arrays.<Consumer<Tensor>>asList(
                        t -> Init.uniform_(t, 0, 1, random()),
                        t -> Init.truncNormal_(t, 0, 1, -1, 1, random()),
                        t -> Init.orthogonal_(t, 1, random()),
                        t -> Init.kaimingNormal_(t, FanMode.FAN_IN, 1, random()))) {
            Tensor here = Tensor.zeros(4, 5);
            Tensor there = Tensor.zeros(DType.FLOAT32, Device.parse("cuda:1"), 4, 5);
            init.accept(here);
            init.accept(there);
            assertTrue(here.equal(there.to(Device.CPU)));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void fansNeedTwoDimensions(int dims) {
        Tensor tensor = Tensor.zeros(dims == 0 ? new int[0] : new int[] {3});
        for (Consumer<Tensor> init :
                Arrays.<Consumer<Tensor>>asList(
                        t -> Init.xavierUniform_(t, 1, random()),
                        t -> Init.kaimingUniform_(t, FanMode.FAN_OUT, 1, random()),
                        t -> Init.orthogonal_(t, 1, random()))) {
            var e = assertThrows(IllegalArgumentException.class, () -> init.accept(tensor));
            assertEquals(
                    "Fan in and fan out can not be computed for tensor with fewer than 2 dimensions, got "
                            + (dims == 0 ? "[]" : "[3]"),
                    e.getMessage());
        }
    }

    @Test
    void whatMakesNoSenseIsRefused() {
        var e =
                assertThrows(
                        IllegalArgumentException.class, () -> Init.eye_(Tensor.zeros(2, 2, 2)));
        assertEquals("Only tensors with 2 dimensions are supported, got [2, 2, 2]", e.getMessage());
        e =
                assertThrows(
                        IllegalArgumentException.class,
                        () -> Init.truncNormal_(Tensor.zeros(2), 0, 1, 2, 2, random()));
        assertEquals(
                "a truncated normal distribution needs a positive std and an interval, not std 1.0 and [2.0, 2.0]",
                e.getMessage());
    }
}
