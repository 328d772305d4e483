package org.gradwire.tensor;

import static org.gradwire.tensor.Failures.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;

/** Losses, norms and dropout where samples of rows do not reach. */
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
    void classesThatDoNotFitSayWhy() {
        Tensor x = Tensor.ones(3, 4);
        assertFails(
                IndexOutOfBoundsException.class,
                "Target 7 is out of bounds",
                () -> nll(x, Tensor.of(0L, 1, 7), "mean"));
        assertFails(
                IllegalArgumentException.class,
                "Expected input batch_size (3) to match target batch_size (2).",
                () -> nll(x, Tensor.of(0L, 1), "mean"));
        assertFails(
                IllegalArgumentException.class,
                "Expected target size [2, 5], got [2, 4]",
                () -> nll(Tensor.ones(2, 3, 5), Tensor.zeros(DType.INT64, 2, 4), "mean"));
        assertFails(
                IllegalArgumentException.class,
                "expected scalar type Long but found Float",
                () -> nll(x, Tensor.ones(3), "mean"));
        assertFails(
                IllegalArgumentException.class,
                "either for all 4 classes or no classes but got weight tensor of shape: [3]",
                () -> Ops.nllLoss(x, Tensor.of(0L, 1, 2), Tensor.ones(3), "mean", -100));
        assertFails(
                IllegalArgumentException.class,
                "most is not a valid value for reduction; expected none, mean or sum",
                () -> nll(x, Tensor.of(0L, 1, 2), "most"));
        assertFails(
                IllegalArgumentException.class,
                "label_smoothing must be between 0.0 and 1.0. Got: 1.5",
                () -> Ops.crossEntropy(x, Tensor.of(0L, 1, 2), null, "mean", -100, 1.5));
        assertFails(
                IllegalArgumentException.class,
                "Expected floating point type for target with class probabilities, got Long",
                () -> Ops.crossEntropy(x, x.to(DType.INT64), null, "mean", -100, 0));
        assertFails(
                IllegalArgumentException.class,
                "ignore_index is not supported for floating point target",
                () -> Ops.crossEntropy(x, x, null, "mean", 1, 0));
    }

    @Test
    void pairsThatDoNotFitSayWhy() {
        Tensor x = Tensor.ones(3, 4);
        assertFails(
                IllegalArgumentException.class,
                "Target size ([4]) must be the same as input size ([3, 4])",
                () -> x.bceWithLogits(Tensor.ones(4)));
        assertFails(
                IllegalArgumentException.class,
                "all elements of input should be between 0 and 1, one is 2.0",
                () -> Ops.bceLoss(x.add(x), x, null, "mean"));
        assertFails(
                IllegalArgumentException.class,
                "smooth_l1_loss does not support negative values for beta; got -1.0",
                () -> Ops.smoothL1Loss(x, x, "mean", -1));
        assertFails(
                IllegalArgumentException.class,
                "huber_loss does not support non-positive values for delta; got 0.0",
                () -> Ops.huberLoss(x, x, "mean", 0));
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
    void normsThatDoNotFitSayWhy() {
        Tensor x = Tensor.ones(2, 3);
        assertFails(
                IllegalArgumentException.class,
                "Given normalized_shape=[4], expected input with shape [*, 4], but got input of size[2, 3]",
                () -> x.layerNorm(4));
        assertFails(
                IllegalArgumentException.class,
                "Expected weight to be of same shape as normalized_shape, but got weight of shape [4] and normalized_shape = [3]",
                () -> Ops.layerNorm(x, new int[] {3}, Tensor.ones(4), null, 1e-5));
        assertFails(
                IllegalArgumentException.class,
                "Expected number of channels in input to be divisible by num_groups, but got input of shape [2, 3] and num_groups=2",
                () -> Ops.groupNorm(x, 2, null, null, 1e-5));
        assertFails(
                IllegalArgumentException.class,
                "running_mean must be defined in evaluation mode",
                () -> Ops.batchNorm(x, null, null, null, null, false, 0.1, 1e-5));
        assertFails(
                IllegalArgumentException.class,
                "Expected more than 1 value per channel when training, got input size [1, 4]",
                () -> Ops.batchNorm(Tensor.ones(1, 4), null, null, null, null, true, 0.1, 1e-5));
        assertFails(
                IllegalArgumentException.class,
                "weight should contain 3 elements not 4",
                () -> Ops.batchNorm(x, Tensor.ones(4), null, null, null, true, 0.1, 1e-5));
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
        assertFails(
                IllegalArgumentException.class,
                "dropout probability has to be between 0 and 1, but got 1.5",
                () -> Ops.dropout(x, 1.5, true));
    }

    private static Node assertNotNullNode(Tensor y) {
        Node node = y.gradFn();
        assertNotNull(node);
        return node;
    }
}
