package org.gradwire.tensor;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import static java.util.Objects.requireNonNull;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.SplittableRandom;
import java.util.function.UnaryOperator;

/** Operators at the edges of their domains, against values of PyTorch 1.13. */
class EdgeValuesTest {
    private static final double INF = Double.POSITIVE_INFINITY;
    private static final double NAN = Double.NaN;
    private static final long SEED = 7;

    private static void assertGives(
            UnaryOperator<Tensor> function, double[] x, double[] results, double[] gradient) {
        Tensor input = Tensor.of(x).requiresGrad(true);
        Tensor result = function.apply(input);
        assertArrayEquals(results, result.detach().toDoubleArray(), 1e-12);
        result.sum().backward();
        assertArrayEquals(gradient, requireNonNull(input.grad()).toDoubleArray(), 1e-12);
    }

    @Test
    void thresholdsKeepNaN() {
        double[] x = {NAN, 0.5, -0.5, 1};
        double[] passed = {1, 0, 0, 1};
        assertGives(t -> Ops.hardshrink(t, 0.5), x, new double[] {NAN, 0, 0, 1}, passed);
        assertGives(t -> Ops.threshold(t, 0.5, 7), x, new double[] {NAN, 7, 7, 1}, passed);
    }

    @Test
    void celuTakesNegativeFactors() {
        double[] x = {-1, 0, 1, 1000, INF};
        double e = Math.exp(2);
        double[] results = {-0.5 * (e - 1), 0, 1, 1000, INF};
        assertGives(t -> t.celu(-0.5), x, results, new double[] {e, 1, 1, 1, 1});
    }

    @Test
    void gradientsOfHardswishHoldItsBounds() {
        double[] x = {-3, 3, -4, 4, 0};
        double[] gradient = {-0.5, 1.5, 0, 1, 0.5};
        assertGives(Tensor::hardswish, x, new double[] {0, 3, 0, 4, 0}, gradient);
    }

    @Test
    void infinityOnTheOtherSideMakesNoGradientOfPrelu() {
        Tensor weight = Tensor.of(0.25).requiresGrad(true);
        double[] gradient = {1, 1, 0.25, 0.25};
        assertGives(
                t -> t.prelu(weight),
                new double[] {INF, 1, 0, -1},
                new double[] {INF, 1, 0, -0.25},
                gradient);
        assertArrayEquals(new double[] {-1}, requireNonNull(weight.grad()).toDoubleArray());
    }

    @Test
    void smallResultsOfErfcAndPowersOfTwoAreExact() {
        double[] results = Tensor.of(0.0, 1, 3, 10, -3, INF, -INF, NAN).erfc().toDoubleArray();
        double[] expected = {1, 0.15729920705028513, 2.209049699858544e-5, 2.088487583762545e-45};
        for (int i = 0; i < expected.length; i++) {
            assertEquals(expected[i], results[i], 1e-14 * expected[i]);
        }
        assertEquals(1.9999779095030015, results[4], 1e-15);
        assertArrayEquals(
                new double[] {0, 2, NAN}, new double[] {results[5], results[6], results[7]});
        double[] powers = {1024, 0x1p100, 0x1p1000, 0x1p-1000};
        assertArrayEquals(powers, Tensor.of(10.0, 100, 1000, -1000).exp2().toDoubleArray());
    }

    @Test
    void gradientsOfXlogyHoldWhereTheFactorIsZero() {
        Tensor x = Tensor.of(0.0, 0, 0, 0, 2).requiresGrad(true);
        Tensor y = Tensor.of(0.0, -1, 3, INF, 3).requiresGrad(true);
        Tensor result = Ops.xlogy(x, y);
        result.sum().backward();
        double log = Math.log(3);
        assertArrayEquals(
                new double[] {0, 0, 0, 0, 2 * log}, result.detach().toDoubleArray(), 1e-15);
        assertArrayEquals(
                new double[] {0, 0, log, INF, log},
                requireNonNull(x.grad()).toDoubleArray(),
                1e-15);
        assertArrayEquals(
                new double[] {NAN, -0.0, 0, 0, 2.0 / 3},
                requireNonNull(y.grad()).toDoubleArray(),
                1e-15);
    }

    @Test
    void infiniteDistancesAreNotClose() {
        Tensor close = Ops.isclose(Tensor.of(INF, 1, INF), Tensor.of(1, INF, INF), INF, 0, false);
        assertArrayEquals(new double[] {0, 0, 1}, close.to(DType.FLOAT64).toDoubleArray());
    }

    @Test
    void variancesMayBeOfRows() {
        Tensor x = Tensor.ones(DType.FLOAT64, 2, 2).requiresGrad(true);
        Tensor target = Tensor.zeros(DType.FLOAT64, 2, 2);
        Tensor variance = Tensor.of(1.0, 2).requiresGrad(true);
        Tensor losses = Ops.gaussianNllLoss(x, target, variance, false, 1e-6, "none");
        double second = 0.5 * (Math.log(2) + 0.5);
        assertArrayEquals(
                new double[] {0.5, 0.5, second, second}, losses.detach().toDoubleArray(), 1e-15);
        losses.sum().backward();
        assertArrayEquals(
                new double[] {0, 0.25}, requireNonNull(variance.grad()).toDoubleArray(), 1e-15);
        assertFails(
                IllegalArgumentException.class,
                "var is of incorrect size: [3] for input of size [2, 2]",
                () ->
                        Ops.gaussianNllLoss(
                                x, target, Tensor.ones(DType.FLOAT64, 3), false, 1e-6, "none"));
    }

    @Test
    void infiniteAndTinyVariancesHaveGradients() {
        Tensor variance = Tensor.of(INF, 1e-9).requiresGrad(true);
        Tensor losses =
                Ops.gaussianNllLoss(
                        Tensor.of(1.0, 1), Tensor.of(0.0, 0), variance, false, 1e-6, "none");
        losses.sum().backward();
        assertEquals(INF, losses.detach().toDoubleArray()[0]);
        assertArrayEquals(
                new double[] {0, -4.999995e11},
                requireNonNull(variance.grad()).toDoubleArray(),
                1e-3);
    }

    @Test
    void productsOfWholeNumbersTakeWholeFactors() {
        Tensor x = Tensor.of(new long[] {1, 2, 3, 4}, 2, 2);
        assertArrayEquals(new long[] {9, 14, 21, 30}, Ops.addmm(x, x, x, 2, 1).toLongArray());
        assertFails(
                IllegalArgumentException.class,
                "argument alpha must not be a floating point number: 0.5",
                () -> Ops.addmm(x, x, x, 1, 0.5));
        assertFails(
                IllegalArgumentException.class,
                "argument beta must not be a floating point number: 0.5",
                () -> Ops.addmm(x, x, x, 0.5, 1));
    }

    @Test
    void repeatedLettersHaveOneSize() {
        assertFails(
                IllegalArgumentException.class,
                "einsum(): subscript i is repeated for operand 0 but the sizes don't match, 1 != 3",
                () -> Ops.einsum("ii", List.of(Tensor.ones(3, 1))));
    }

    @Test
    void negativeNormsOfDistancesAreRefused() {
        assertFails(
                IllegalArgumentException.class,
                "cdist only supports non-negative p values, got -1.0",
                () -> Ops.cdist(Tensor.ones(2, 2), Tensor.ones(2, 2), -1));
    }

    @Test
    void negativePaddingCopies() {
        Tensor x = Tensor.of(1.0, 2, 3);
        Ops.pad(x, new int[] {-1, 0}, "constant", null).add_(1);
        assertArrayEquals(new double[] {1, 2, 3}, x.toDoubleArray());
    }

    @Test
    void weightsOfAnySizeAreDrawn() {
        var random = new SplittableRandom(SEED);
        Tensor large = Tensor.of(1e308, 1e308).multinomial(random, 100, true);
        double mean = large.to(DType.FLOAT64).mean().item();
        assertEquals(0.5, mean, 0.3, "seed " + SEED);
        Tensor tiny = Tensor.of(0.0, Double.MIN_VALUE, 0, 1e300).multinomial(random, 2, false);
        assertArrayEquals(new long[] {3, 1}, tiny.toLongArray(), "seed " + SEED);
    }

    /** Without it the result requires no gradient, where the product has none. */
    @Test
    void aFactorOfZeroLeavesWhatIsAddedInTheGraph() {
        Tensor added = Tensor.full(NAN, 2, 2).requiresGrad(true);
        Tensor ones = Tensor.ones(2, 2);
        Tensor result = Ops.addmm(added, ones, ones, 0, 1);
        assertArrayEquals(new double[] {2, 2, 2, 2}, result.detach().toDoubleArray());
        result.sum().backward();
        assertArrayEquals(new double[4], requireNonNull(added.grad()).toDoubleArray());
    }

    @Test
    void wholeNumbersBecomeFractionsOrAreRefused() {
        Tensor whole = Tensor.of(new int[] {1, 3}, 2);
        assertEquals(DType.FLOAT32, whole.exp2().dtype());
        assertArrayEquals(new double[] {2, 8}, whole.exp2().toDoubleArray());
        assertFails(IllegalArgumentException.class, "\"frac\" not implemented", whole::frac);
        assertFails(
                IllegalArgumentException.class,
                "\"adaptive_max_pool2d\" not implemented",
                () -> Ops.adaptiveMaxPool2d(Tensor.ones(DType.INT64, 1, 2, 2), new int[] {1}));
    }

    @Test
    void bothInputsOfCosineEmbeddingLossHaveTheSameDimensions() {
        assertFails(
                IllegalArgumentException.class,
                "1D target tensor expects 2D input tensors",
                () ->
                        Ops.cosineEmbeddingLoss(
                                Tensor.ones(1, 4), Tensor.ones(1), Tensor.ones(1), 0.25, "none"));
    }

    @Test
    void functionsOfTwoTypesComputeInTheWiderOne() {
        Tensor fractions = Tensor.of(1.0, 2);
        Tensor whole = Tensor.of(new int[] {3, 5}, 2).to(DType.INT64);
        double[] expected = {Math.log(3), 2 * Math.log(5)};
        assertArrayEquals(expected, Ops.xlogy(fractions, whole).toDoubleArray(), 1e-14);
        Tensor flags = Tensor.of(new boolean[] {true, false}, 2);
        double[] sums = {Math.log(2 * Math.E), Math.log(Math.exp(2) + 1)};
        assertArrayEquals(sums, Ops.logaddexp(fractions, flags).toDoubleArray(), 1e-14);
    }

    /** Mean and variance are given, so no gradient flows through them. */
    @Test
    void infiniteElementsHaveAGradientInEvaluation() {
        Tensor x = Tensor.of(new double[][] {{INF, 1}, {2, 3}}).requiresGrad(true);
        Tensor ones = Tensor.ones(DType.FLOAT64, 2);
        Ops.batchNorm(x, null, null, ones, ones, false, 0.1, 0).sum().backward();
        assertArrayEquals(
                new double[] {1, 1, 1, 1}, requireNonNull(x.grad()).toDoubleArray(), 1e-12);
    }

    @Test
    void tensorsOfATripletHaveTheSameDimensions() {
        assertFails(
                IllegalArgumentException.class,
                "anchor 1D, positive 2D, and negative 2D inputs",
                () ->
                        Ops.tripletMarginLoss(
                                Tensor.ones(2),
                                Tensor.ones(1, 2),
                                Tensor.ones(1, 2),
                                1,
                                2,
                                1e-6,
                                false,
                                "mean"));
    }

    @Test
    void functionsOfFractionsRefuseWholeNumbers() {
        Tensor whole = Tensor.of(new int[] {1, 3}, 2);
        assertFails(
                IllegalArgumentException.class,
                "\"celu\" not implemented for 'Int'",
                () -> whole.celu(1));
        assertFails(
                IllegalArgumentException.class,
                "\"logaddexp\" not implemented for 'Int'",
                () -> Ops.logaddexp(whole, whole));
        assertFails(
                IllegalArgumentException.class,
                "expected input and target of the same shape, but got [2] and [1]",
                () -> Ops.softMarginLoss(Tensor.ones(2), Tensor.ones(1), "mean"));
    }
}
