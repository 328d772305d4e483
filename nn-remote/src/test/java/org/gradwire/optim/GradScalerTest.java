package org.gradwire.optim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.Autocast;
import org.gradwire.nn.Layer;
import org.gradwire.nn.Linear;
import org.gradwire.nn.Sequential;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Device;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Random;

/** Scaled losses, skipped steps, and training in float16. */
class GradScalerTest {
    private final Tensor weight = Tensor.of(1f, 2f).requiresGrad(true);
    private final SGD optimizer = new SGD(List.of(weight), 0.5);

    private static GradScaler scaler(double scale, int interval) {
        return new GradScaler(GradScaler.options().scale(scale).growthInterval(interval));
    }

    private void backward(GradScaler scaler, float factor) {
        optimizer.zeroGrad();
        scaler.scale(weight.mul(Tensor.of(factor, 1f)).sum()).backward();
    }

    private double[] gradient() {
        Tensor gradient = weight.grad();
        assertNotNull(gradient);
        return gradient.toDoubleArray();
    }

    @Test
    void aStepIsThatWithoutScale() {
        GradScaler scaler = scaler(1024, 2000);
        backward(scaler, 3);
        assertArrayEquals(new double[] {3072, 1024}, gradient());
        assertTrue(scaler.step(optimizer));
        assertArrayEquals(new double[] {-0.5, 1.5}, weight.toDoubleArray());
        scaler.update();
        assertEquals(1024, scaler.scale());
    }

    @Test
    void gradientsCanBeSeenBeforeTheStep() {
        GradScaler scaler = scaler(1024, 2000);
        backward(scaler, 3);
        scaler.unscale(optimizer);
        assertArrayEquals(new double[] {3, 1}, gradient());
        assertTrue(scaler.step(optimizer));
        assertArrayEquals(new double[] {-0.5, 1.5}, weight.toDoubleArray());
    }

    @Test
    void aStepWithGradientsThatAreNotFiniteIsSkippedAndTheScaleShrinks() {
        for (float factor : new float[] {Float.NaN, Float.POSITIVE_INFINITY}) {
            GradScaler scaler = scaler(8, 2);
            backward(scaler, factor);
            assertFalse(scaler.step(optimizer));
            scaler.update();
            assertArrayEquals(new double[] {1, 2}, weight.toDoubleArray());
            assertEquals(4, scaler.scale());
        }
    }

    @Test
    void theScaleGrowsAfterStepsInSequence() {
        GradScaler scaler = scaler(8, 2);
        for (float factor : new float[] {1, Float.NaN, 1, 1, 1}) {
            backward(scaler, factor);
            scaler.step(optimizer);
            scaler.update();
        }
        assertEquals(8, scaler.scale());
        assertEquals(1, requireNonNull(scaler.stateDict().get("growth_steps")).item());
        GradScaler other = scaler(1, 2);
        other.loadStateDict(scaler.stateDict());
        assertEquals(8, other.scale());
        backward(other, 1);
        other.step(optimizer);
        other.update();
        assertEquals(16, other.scale());
    }

    @Test
    void theScaleGrowsAfterAShorterIntervalThanTheSavedOne() {
        GradScaler scaler = scaler(8, 2);
        scaler.loadStateDict(
                Map.of("scale", Tensor.scalar(4.0), "growth_steps", Tensor.scalar(1500L)));
        backward(scaler, 1);
        scaler.step(optimizer);
        scaler.update();
        assertEquals(8, scaler.scale());
    }

    @Test
    void sparseGradientsAreUnscaled() {
        Tensor table = Tensor.ones(5, 2).requiresGrad(true);
        var sgd = new SGD(List.of(table), 0.5);
        GradScaler scaler = scaler(8, 2);
        Tensor rows = Ops.embedding(table, Tensor.of(1L, 0L, 1L), true);
        scaler.scale(rows.sum()).backward();
        assertTrue(scaler.step(sgd));
        assertArrayEquals(new double[] {0.5, 0.5, 0, 0, 1, 1, 1, 1, 1, 1}, table.toDoubleArray());
    }

    @Test
    void callsInAnotherOrderAreRefused() {
        GradScaler scaler = scaler(8, 2);
        assertThrows(IllegalStateException.class, scaler::update);
        assertThrows(IllegalStateException.class, () -> scaler.step(optimizer));
        backward(scaler, 1);
        scaler.unscale(optimizer);
        assertThrows(IllegalStateException.class, () -> scaler.unscale(optimizer));
        scaler.step(optimizer);
        assertThrows(IllegalStateException.class, () -> scaler.step(optimizer));
        assertThrows(IllegalStateException.class, () -> scaler.unscale(optimizer));
        assertThrows(
                IllegalArgumentException.class,
                () -> scaler.loadStateDict(Map.of("scale", Tensor.scalar(0.0))));
        assertThrows(IllegalArgumentException.class, () -> scaler(0, 1));
        assertThrows(IllegalArgumentException.class, () -> scaler(1, 0));
        assertEquals(8, scaler.scale());
    }

    @Test
    void parametersOfFloat16AreRefused() {
        Tensor half = Tensor.ones(2).to(DType.FLOAT16).requiresGrad(true);
        half.sum().backward();
        var sgd = new SGD(List.of(half), 0.1);
        assertThrows(IllegalArgumentException.class, () -> new GradScaler().unscale(sgd));
    }

    @Test
    void gradientsOfSeveralDevicesAreChecked() {
        Tensor there = Tensor.ones(2).to(Device.parse("cuda:0")).requiresGrad(true);
        var both = new SGD(List.of(weight, there), 0.5);
        GradScaler scaler = scaler(8, 2);
        scaler.scale(weight.sum()).backward();
        scaler.scale(there.mul(Double.POSITIVE_INFINITY).sum()).backward();
        assertFalse(scaler.step(both));
        assertArrayEquals(new double[] {1, 2}, weight.toDoubleArray());
    }

    /** Gradients of 1e-8, which float16 rounds to zero, move the weight by their amount. */
    @Test
    void smallGradientsSurvive() {
        Tensor w = Tensor.ones(4, 1).requiresGrad(true);
        var sgd = new SGD(List.of(w), 1e7);
        for (boolean scaled : new boolean[] {false, true}) {
            sgd.zeroGrad();
            Tensor loss;
            try (var _ = Autocast.enable(DType.FLOAT16)) {
                loss = Tensor.ones(1, 4).mm(w).to(DType.FLOAT32).mul(1e-8).sum();
            }
            if (scaled) {
                var scaler = new GradScaler();
                scaler.scale(loss).backward();
                assertTrue(scaler.step(sgd));
                assertArrayEquals(new double[] {0.9, 0.9, 0.9, 0.9}, w.toDoubleArray(), 1e-3);
            } else {
                loss.backward();
                sgd.step();
                assertArrayEquals(new double[] {1, 1, 1, 1}, w.toDoubleArray());
            }
        }
    }

    @Test
    void aNetworkLearnsInFloat16() {
        var net = new Sequential((Layer) new Linear(8, 32, 1), Tensor::tanh, new Linear(32, 1, 2));
        var adam = new Adam(net.parameters(), 0.01);
        var scaler = new GradScaler();
        Tensor x = Tensor.rand(new Random(3), 64, 8);
        Tensor target = x.sum(1).sin().view(64, 1);
        double first = 0;
        double last = 0;
        for (int step = 0; step < 200; step++) {
            adam.zeroGrad();
            Tensor loss;
            try (var _ = Autocast.enable(DType.FLOAT16)) {
                loss = net.forward(x).mseLoss(target);
            }
            scaler.scale(loss).backward();
            scaler.step(adam);
            scaler.update();
            last = loss.item();
            first = step == 0 ? last : first;
        }
        assertTrue(last < first / 20, "loss from " + first + " to " + last);
        assertTrue(net.parameters().stream().allMatch(p -> p.dtype() == DType.FLOAT32));
    }
}
