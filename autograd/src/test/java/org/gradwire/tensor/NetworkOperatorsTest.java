package org.gradwire.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;
import java.util.Random;

/** Convolutions, lookups and pooling that the samples of their rows do not cover. */
class NetworkOperatorsTest {
    private static final int[] ONE = {1};
    private static final int[] NONE = {0};

    private final Random random = new Random(5);

    private static double[] gradient(Tensor leaf) {
        return Objects.requireNonNull(leaf.grad()).toDoubleArray();
    }

    private static Tensor conv(Tensor x, Tensor weight, int groups) {
        return Ops.conv2d(x, weight, null, ONE, ONE, ONE, groups);
    }

    @Test
    void groupsAreConvolutionsOfTheirOwn() {
        Tensor x = Tensor.randn(random, 2, 6, 5, 7);
        Tensor weight = Tensor.randn(random, 4, 3, 3, 3);
        Tensor parts =
                Ops.cat(
                        List.of(
                                conv(x.narrow(1, 0, 3), weight.narrow(0, 0, 2), 1),
                                conv(x.narrow(1, 3, 3), weight.narrow(0, 2, 2), 1)),
                        1);
        assertTrue(parts.allclose(conv(x, weight, 2), 1e-4, 1e-5));
    }

    @Test
    void gradientsByTilesAreThoseOfTheDirectWay() {
        for (int padding = 0; padding < 3; padding++) {
            int[] pad = {padding};
            Tensor x = Tensor.randn(random, 2, 16, 12, 14).requiresGrad(true);
            Tensor weight = Tensor.randn(random, 17, 16, 3, 3).requiresGrad(true);
            Tensor exactX = x.detach().to(DType.FLOAT64).requiresGrad(true);
            Tensor exactWeight = weight.detach().to(DType.FLOAT64).requiresGrad(true);
            Tensor y = Ops.conv2d(x, weight, null, ONE, pad, ONE, 1);
            Tensor flow = Tensor.randn(random, y.shape());
            y.backward(flow);
            Ops.conv2d(exactX, exactWeight, null, ONE, pad, ONE, 1)
                    .backward(flow.to(DType.FLOAT64));
            assertArrayEquals(gradient(exactX), gradient(x), 1e-3);
            assertArrayEquals(gradient(exactWeight), gradient(weight), 1e-3);
        }
    }

    @Test
    void emptyBatchesAndChannelsAreConvolved() {
        Tensor weight = Tensor.ones(6, 3, 3, 3).requiresGrad(true);
        Tensor none = conv(Tensor.ones(0, 3, 4, 4), weight, 1);
        assertArrayEquals(new int[] {0, 6, 4, 4}, none.shape());
        none.sum().backward();
        assertArrayEquals(new double[162], gradient(weight));
        Tensor zeros = conv(Tensor.ones(1, 0, 4, 4), Tensor.ones(2, 0, 3, 3), 1);
        assertTrue(zeros.equal(Tensor.zeros(1, 2, 4, 4)));
    }

    @Test
    void gradientsAreDividedByFrequency() {
        Tensor weight = Tensor.randn(random, 4, 2).requiresGrad(true);
        Tensor indices = Tensor.of(0L, 0, 2);
        Ops.embeddingBag(weight, indices, Tensor.of(0L, 2, 3), true, "mean", null, false, null)
                .sum()
                .backward();
        assertArrayEquals(new double[] {0.5, 0.5, 0, 0, 1, 1, 0, 0}, gradient(weight), 1e-7);
        weight.grad(null);
        Ops.embedding(weight, indices, null, true).sum().backward();
        assertArrayEquals(new double[] {1, 1, 0, 0, 1, 1, 0, 0}, gradient(weight), 1e-7);
        weight.grad(null);
        Ops.embedding(weight, indices, -4, false).sum().backward();
        assertArrayEquals(new double[] {0, 0, 0, 0, 1, 1, 0, 0}, gradient(weight), 1e-7);
    }

    @Test
    void largeTablesInNativeMemoryAreLookedUpAlike() {
        Tensor table = Tensor.randn(random, 4000, 32);
        for (Tensor weight : List.of(table, table.narrow(1, 0, 31), table.to(DType.FLOAT64))) {
            Tensor leaf = weight.detach().requiresGrad(true);
            Tensor indices = Tensor.of(3999L, 7, 7, 12);
            Ops.embeddingBag(leaf, indices, Tensor.of(0L, 3), "sum", null)
                    .mul(Tensor.of(new float[] {1, 2}, 2, 1))
                    .sum()
                    .backward();
            Tensor rows = Ops.embedding(leaf.detach(), indices, null, false);
            Tensor sums = rows.narrow(0, 0, 3).sum(new int[] {0}, false);
            Tensor bags = Ops.embeddingBag(leaf, indices, Tensor.of(0L, 3), "sum", null);
            assertTrue(bags.select(0, 0).allclose(sums, 1e-5, 1e-5));
            assertTrue(rows.select(0, 0).equal(leaf.detach().select(0, 3999).copy()));
            Tensor gradient = Objects.requireNonNull(leaf.grad());
            assertEquals(1, gradient.get(3999, 3));
            assertEquals(2, gradient.get(7, 30));
            assertEquals(2, gradient.get(12, 0));
            assertEquals(5 * weight.size(1), gradient.sum().item());
        }
    }

    @Test
    void emptyBagsAreZerosInAllModes() {
        Tensor weight = Tensor.ones(3, 2).mul(-1).requiresGrad(true);
        for (String mode : List.of("sum", "mean", "max")) {
            Tensor result =
                    Ops.embeddingBag(
                            weight,
                            Tensor.of(1L, 2),
                            Tensor.of(0L, 0, 2, 2),
                            false,
                            mode,
                            null,
                            true,
                            null);
            double each = mode.equals("sum") ? -2 : -1;
            assertArrayEquals(new double[] {0, 0, each, each, 0, 0}, result.toDoubleArray());
        }
    }

    @Test
    void largestIsTheFirstOfEqualOnesAndTheLastNan() {
        Tensor x = Tensor.of(new double[] {1, 1, Double.NaN, 2, 3, 3, 3, 3}, 2, 2, 2);
        List<Tensor> result =
                Ops.maxPool2dWithIndices(x, new int[] {2}, new int[0], NONE, ONE, false);
        assertArrayEquals(new double[] {Double.NaN, 3}, result.getFirst().toDoubleArray());
        assertArrayEquals(new long[] {2, 0}, result.getLast().toLongArray());
        Tensor leaf = x.detach().requiresGrad(true);
        List<Tensor> recorded =
                Ops.maxPool2dWithIndices(leaf, new int[] {2}, new int[0], NONE, ONE, false);
        assertEquals(false, recorded.getLast().requiresGrad());
        recorded.getFirst().sum().backward();
        assertArrayEquals(new double[] {0, 0, 1, 0, 1, 0, 0, 0}, gradient(leaf));
    }

    @Test
    void paddingCountsOnlyWhenAskedTo() {
        Tensor x = Tensor.ones(1, 3, 3);
        int[] two = {2};
        Tensor counted = Ops.avgPool2d(x, two, two, ONE, true, true, null);
        Tensor inside = Ops.avgPool2d(x, two, two, ONE, true, false, null);
        assertArrayEquals(new double[] {0.25, 0.5, 0.5, 1}, counted.toDoubleArray());
        assertArrayEquals(new double[] {1, 1, 1, 1}, inside.toDoubleArray());
        assertArrayEquals(
                new int[] {1, 3, 0, 1}, Tensor.ones(1, 3, 4, 4).adaptiveAvgPool2d(0, 1).shape());
        assertArrayEquals(new int[] {0, 3, 2, 2}, Tensor.ones(0, 3, 4, 4).maxPool2d(2).shape());
        assertArrayEquals(new double[] {1}, Tensor.ones(1, 2, 2).avgPool2d(2).toDoubleArray());
    }
}
