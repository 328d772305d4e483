package org.gradwire.tensor;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.Node;
import org.junit.jupiter.api.Test;

import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;

/** Losses, norms and dropout that the samples of their rows do not cover. */
class LossesAndNormsTest {
    private final Random random = new Random(6);

    private static Tensor nll(Tensor x, Tensor target, String reduction) {
        return Ops.nllLoss(x, target, null, reduction, -100);
    }

    @Test
    void whatIsIgnoredCountsForNothing() {
        Tensor x = Tensor.randn(random, 2, 4).requiresGrad(true);
        Tensor ignored = Tensor.of(-100L, -100);
        assertTrue(Double.isNaN(nll(x, ignored, "mean").item()));
        assertArrayEquals(new double[2], nll(x, ignored, "none").toDoubleArray());
        assertTrue(Double.isNaN(nll(Tensor.ones(0, 4), Tensor.of(new long[0]), "mean").item()));
        nll(x, ignored, "mean").backward();
        assertArrayEquals(new double[8], Objects.requireNonNull(x.grad()).toDoubleArray());
    }

    @Test
    void lossesOfExtremeScoresStayFinite() {
        Tensor x = Tensor.of(1000.0, -1000, 1000, -1000).requiresGrad(true);
        Tensor target = Tensor.of(1.0, 0, 0, 1);
        Tensor losses = Ops.bceWithLogits(x, target, null, null, "none");
        assertArrayEquals(new double[] {0, 0, 1000, 1000}, losses.toDoubleArray());
        losses.sum().backward();
        assertArrayEquals(
                new double[] {0, 0, 1, -1}, Objects.requireNonNull(x.grad()).toDoubleArray());
        Tensor p = Tensor.of(0.0, 1, 0.5);
        Tensor clamped = Ops.bceLoss(p, Tensor.of(1.0, 0, 1), null, "none");
        assertArrayEquals(new double[] {100, 100, Math.log(2)}, clamped.toDoubleArray(), 1e-12);
        Tensor divergence = Ops.klDiv(Tensor.of(-1.0), Tensor.of(0.0), "none", false);
        assertArrayEquals(new double[1], divergence.toDoubleArray());
        assertTrue(Double.isNaN(Tensor.ones(0).mseLoss(Tensor.ones(0)).item()));
        assertEquals(DType.FLOAT64, Tensor.ones(2).l1Loss(Tensor.of(1.0, 2)).dtype());
    }

    @Test
    void trainingMovesRunningStatistics() {
        Tensor x = Tensor.of(new double[] {1, 10, 3, 30, 5, 20}, 3, 2);
        Tensor mean = Tensor.zeros(DType.FLOAT64, 2);
        Tensor variance = Tensor.ones(DType.FLOAT64, 2);
        Ops.batchNorm(x, null, null, mean, variance, true, 0.1, 1e-5);
        assertArrayEquals(new double[] {0.3, 2}, mean.toDoubleArray(), 1e-12);
        assertArrayEquals(new double[] {1.3, 10.9}, variance.toDoubleArray(), 1e-12);
        Tensor used = Ops.batchNorm(x, null, null, mean, variance, false, 0.1, 0);
        assertEquals((5 - 0.3) / Math.sqrt(1.3), used.get(2, 0), 1e-12);
        assertArrayEquals(new double[] {0.3, 2}, mean.toDoubleArray(), 1e-12);
    }

    @Test
    void largeChannelsAndLayersAreNormalized() {
        Tensor x = Tensor.randn(random, 3, 5, 40, 50).mul(3).add(7).requiresGrad(true);
        Tensor byChannel = Ops.batchNorm(x, null, null, null, null, true, 0.1, 1e-5);
        int[] perChannel = {0, 2, 3};
        assertTrue(byChannel.mean(perChannel, false).allclose(Tensor.zeros(5), 0, 1e-4));
        assertTrue(
                byChannel.mul(byChannel).mean(perChannel, false).allclose(Tensor.ones(5), 1e-3, 0));
        Tensor byLayer = x.layerNorm(40, 50);
        int[] perLayer = {2, 3};
        assertTrue(byLayer.mean(perLayer, false).allclose(Tensor.zeros(3, 5), 0, 1e-4));
        assertTrue(byLayer.mul(byLayer).mean(perLayer, false).allclose(Tensor.ones(3, 5), 1e-3, 0));
        byChannel.mul(byChannel).sum().add(byLayer.mul(byLayer).sum()).backward();
        double[] gradient = Objects.requireNonNull(x.grad()).toDoubleArray();
        assertArrayEquals(new double[gradient.length], gradient, 1e-2); // both are constant
    }

    @Test
    void dropoutKeepsItsMaskForTheGradient() {
        Tensor x = Tensor.ones(101, 331).requiresGrad(true);
        Tensor y = x.dropout(0.25, true, new SplittableRandom(3));
        assertEquals("MulBackward0", assertNotNullNode(y).name());
        y.sum().backward();
        assertTrue(y.equal(Objects.requireNonNull(x.grad())));
        double kept = 4 / 3.0;
        int zeros = 0;
        for (double value : y.toDoubleArray()) {
            assertTrue(value == 0 || Math.abs(value - kept) < 1e-6, "value " + value);
            zeros += value == 0 ? 1 : 0;
        }
        assertEquals(0.25, zeros / (double) x.numel(), 0.02);
        assertTrue(y.equal(x.dropout(0.25, true, new SplittableRandom(3))));
        assertNotEquals(0, Ops.dropout(x, 0.25, true).sum().item());
        assertSame(x, x.dropout(0.25, false, random));
    }

    private static Node assertNotNullNode(Tensor y) {
        Node node = y.gradFn();
        assertNotNull(node);
        return node;
    }
}
