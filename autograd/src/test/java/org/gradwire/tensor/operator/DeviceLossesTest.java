package org.gradwire.tensor.operator;

import static org.gradwire.tensor.operator.DeviceComparison.CUDA;
import static org.gradwire.tensor.operator.DeviceComparison.compare;
import static org.gradwire.tensor.testing.FailureAssertions.assertFails;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.testing.NeedsDevices;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.Random;

/**
 * Losses on a device: the values and gradients of the host, without copies where the device has the
 * kernels.
 */
@NeedsDevices
@Isolated("copies to the host are counted for the whole JVM")
class DeviceLossesTest {
    private static final long SEED = 7;

    private final Random random = new Random(SEED);

    /** {@return whether there are devices for this run} */
    static boolean devicesAreThere() {
        return NeedsDevices.Condition.areThere();
    }

    private Tensor numbers(int... shape) {
        return DeviceComparison.numbers(random, shape);
    }

    private Tensor probabilities(int... shape) {
        return numbers(shape).mul(0.9).add(0.5).detach();
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "mean", "sum"})
    void distances(String reduction) {
        Tensor x = numbers(90, 70);
        Tensor y = numbers(90, 70);
        compare(a -> Ops.mseLoss(a[0], a[1], reduction), x, y);
        compare(a -> Ops.l1Loss(a[0], a[1], reduction), x, y);
        compare(a -> Ops.smoothL1Loss(a[0], a[1], reduction, 0.25), x, y);
        compare(a -> Ops.huberLoss(a[0], a[1], reduction, 0.25), x, y);
        compare(a -> Ops.huberLoss(a[0].t(), a[1], reduction, 0.25), x, numbers(70, 1));
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "mean", "sum"})
    void crossEntropiesOfTwoClasses(String reduction) {
        Tensor p = probabilities(90, 70);
        Tensor t = probabilities(90, 70);
        Tensor weight = probabilities(70);
        compare(a -> Ops.bceLoss(a[0], a[1], null, reduction), p, t);
        compare(a -> Ops.bceLoss(a[0], a[1], a[2].detach(), reduction), p, t, weight);
        Tensor x = numbers(90, 70).mul(30).detach();
        compare(a -> Ops.bceWithLogits(a[0], a[1], null, null, reduction), x, t);
        compare(
                a -> Ops.bceWithLogits(a[0], a[1], a[2].detach(), a[3].detach(), reduction),
                x,
                t,
                weight,
                probabilities(90, 1));
    }

    @Test
    void certainProbabilitiesHaveFiniteLosses() {
        Tensor p = Tensor.of(0f, 1f, 0f, 1f, 0.5f);
        compare(
                a -> Ops.bceLoss(a[0], a[1].detach(), null, "none"),
                p,
                Tensor.of(0f, 1f, 1f, 0f, 0.5f));
    }

    @Test
    void numbersThatAreNoProbabilitiesAreRefused() {
        Tensor target = Tensor.of(0f, 1f, 0f).to(CUDA);
        for (float wrong : new float[] {-0.5f, 1.5f, Float.NaN}) {
            Tensor p = Tensor.of(0.5f, wrong, 0f).to(CUDA);
            assertFails(
                    IllegalArgumentException.class,
                    "all elements of the input must be from 0 to 1, but one is %s; for logits use bceWithLogits"
                            .formatted((double) wrong),
                    () -> Ops.bceLoss(p, target, null, "mean"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "mean", "sum"})
    void divergences(String reduction) {
        Tensor logs = probabilities(90, 70).log().detach();
        Tensor t = probabilities(90, 70);
        compare(a -> Ops.klDiv(a[0], a[1], reduction, false), logs, t);
        compare(a -> Ops.klDiv(a[0], a[1], reduction, true), logs, t.log().detach());
        compare(a -> Ops.klDiv(a[0], a[1], reduction, false), logs, probabilities(70));
        Tensor certain = t.gt(0.5).to(t.dtype());
        compare(a -> Ops.klDiv(a[0], a[1].detach(), reduction, false), logs, certain);
    }

    private Tensor labels(int classes, int... shape) {
        int count = Arrays.stream(shape).reduce(1, (a, b) -> a * b);
        long[] labels = new long[count];
        for (int i = 0; i < count; i++) {
            labels[i] = i % 7 == 3 ? -100 : random.nextInt(classes);
        }
        return Tensor.of(labels, shape);
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "mean", "sum"})
    void weightedLossesOfLabels(String reduction) {
        Tensor labels = labels(9, 300);
        Tensor weight = probabilities(9);
        compare(
                a -> Ops.nllLoss(a[0], a[1], a[2].detach(), reduction, -100),
                numbers(300, 9),
                labels,
                weight);
        compare(
                a -> Ops.crossEntropy(a[0], a[1], a[2].detach(), reduction, -100, 0),
                numbers(300, 9),
                labels,
                weight);
        compare(
                a -> Ops.nllLoss(a[0], a[1], a[2].detach(), reduction, 2),
                numbers(9),
                Tensor.scalar(4L),
                weight);
    }

    @Test
    void labelsOutsideOfTheClassesAreRefused() {
        Tensor scores = numbers(2, 3).to(CUDA);
        for (long wrong : new long[] {-1, 3}) {
            Tensor labels = Tensor.of(1, wrong).to(CUDA);
            assertFails(
                    IndexOutOfBoundsException.class,
                    "Target %d is out of bounds; there are 3 classes".formatted(wrong),
                    () -> Ops.nllLoss(scores, labels, null, "mean", -100));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"none", "mean", "sum"})
    void lossesOfLabelsOfPixels(String reduction) {
        Tensor labels = labels(5, 3, 9, 11);
        Tensor scores = numbers(3, 5, 9, 11);
        Tensor weight = probabilities(5);
        compare(a -> Ops.nllLoss(a[0], a[1], null, reduction, -100), scores, labels);
        compare(
                a -> Ops.crossEntropy(a[0], a[1], a[2].detach(), reduction, -100, 0),
                scores,
                labels,
                weight);
        compare(
                a ->
                        Ops.crossEntropy(
                                a[0].transpose(1, 3), a[1], a[2].detach(), reduction, -100, 0),
                numbers(3, 11, 9, 5),
                labels(5, 3, 9, 11),
                weight);
    }

    @Test
    void lossesWithSmoothedLabelsAndOfProbabilities() {
        Tensor weight = probabilities(9);
        compare(
                a -> Ops.crossEntropy(a[0], a[1], a[2].detach(), "mean", -100, 0.1),
                numbers(300, 9),
                labels(9, 300),
                weight);
        compare(
                a -> Ops.crossEntropy(a[0], a[1].detach(), a[2].detach(), "sum", -100, 0.1),
                numbers(300, 9),
                Ops.softmax(numbers(300, 9), 1),
                weight);
    }
}
