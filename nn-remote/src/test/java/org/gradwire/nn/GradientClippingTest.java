package org.gradwire.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import static java.util.Objects.requireNonNull;

import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;

import java.util.List;

/** The numbers are those of PyTorch 1.13. */
class GradientClippingTest {

    private static Tensor parameter(double... gradient) {
        Tensor parameter = Tensor.zeros(gradient.length).requiresGrad(true);
        return parameter.grad(Tensor.of(gradient).to(parameter.dtype()));
    }

    private static double[] gradient(Tensor parameter) {
        return requireNonNull(parameter.grad()).toDoubleArray();
    }

    @Test
    void theNormOfAllGradientsIsBounded() {
        Tensor p = parameter(3, -4);
        Tensor q = parameter(12);
        List<Tensor> all = List.of(p, q, Tensor.zeros(2).requiresGrad(true));
        assertEquals(13, GradientClipping.clipGradNorm_(all, 6.5), 1e-5);
        assertArrayEquals(new double[] {1.5, -2}, gradient(p), 1e-5);
        assertArrayEquals(new double[] {6}, gradient(q), 1e-5);
        assertEquals(6.5, GradientClipping.clipGradNorm_(all, 100), 1e-5);
        assertArrayEquals(new double[] {6}, gradient(q), 1e-5);
    }

    @Test
    void theNormHasAnyOrder() {
        Tensor p = parameter(3, -4);
        Tensor q = parameter(12);
        List<Tensor> all = List.of(p, q);
        assertEquals(19, GradientClipping.clipGradNorm_(all, 100, 1, false), 1e-5);
        double largest = Double.POSITIVE_INFINITY;
        assertEquals(12, GradientClipping.clipGradNorm_(all, 3, largest, false), 1e-5);
        assertArrayEquals(new double[] {0.75, -1}, gradient(p), 1e-5);
        assertEquals(0, GradientClipping.clipGradNorm_(List.of(), 1));
    }

    @Test
    void aNormThatIsNotFiniteIsRefusedWhenAsked() {
        Tensor p = parameter(Double.NaN, 1);
        var refused =
                assertThrows(
                        IllegalStateException.class,
                        () -> GradientClipping.clipGradNorm_(List.of(p), 1, 2, true));
        assertEquals(
                "The total norm of order 2.0 for gradients from `parameters` is non-finite, so it cannot be clipped: NaN; look for the cause with AnomalyMode, or pass errorIfNonfinite=false to scale by it",
                refused.getMessage());
        assertArrayEquals(new double[] {Double.NaN, 1}, gradient(p));
        assertEquals(Double.NaN, GradientClipping.clipGradNorm_(List.of(p), 1));
        assertArrayEquals(new double[] {Double.NaN, Double.NaN}, gradient(p));
    }

    @Test
    void elementsAreBounded() {
        Tensor p = parameter(3, -4, 0.5);
        GradientClipping.clipGradValue_(List.of(p, Tensor.zeros(1).requiresGrad(true)), 2);
        assertArrayEquals(new double[] {2, -2, 0.5}, gradient(p));
    }
}
