package org.gradwire.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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
                "The total norm of order 2.0 for gradients of the parameters is not finite, so it cannot be clipped: NaN; look for the cause with AnomalyMode, or pass errorIfNonfinite=false to scale by it",
                refused.getMessage());
        assertArrayEquals(new double[] {Double.NaN, 1}, gradient(p));
        assertEquals(Double.NaN, GradientClipping.clipGradNorm_(List.of(p), 1));
        assertArrayEquals(new double[] {Double.NaN, Double.NaN}, gradient(p));
    }

    @Test
    void theNormOfMinusInfinityIsTheSmallestElement() {
        Tensor p = parameter(3, -4);
        Tensor q = parameter(12);
        double least = Double.NEGATIVE_INFINITY;
        assertEquals(3, GradientClipping.clipGradNorm_(List.of(p, q), 1, least, false), 1e-6);
        assertArrayEquals(new double[] {1, -4 / 3.0}, gradient(p), 1e-5);
        assertArrayEquals(new double[] {4}, gradient(q), 1e-5);
        Tensor empty = Tensor.zeros(0).requiresGrad(true).grad(Tensor.zeros(0));
        assertEquals(4, GradientClipping.clipGradNorm_(List.of(empty, q), 9, least, false), 1e-5);
    }

    /** A gradient of two elements in the first of two places, which make 7. */
    private static Tensor sparse() {
        Tensor gradient = Tensor.sparseCoo(Tensor.of(new long[][] {{0, 0}}), Tensor.of(3f, 4f), 2);
        return Tensor.zeros(2).requiresGrad(true).grad(gradient);
    }

    @ParameterizedTest
    @CsvSource({"2, 13.892443989449804", "Infinity, 12", "-Infinity, 7", "1, 19", "0, 2"})
    void sparseGradientsCountWhatTheyHold(double order, double expected) {
        Tensor p = sparse();
        Tensor q = parameter(12);
        double norm = GradientClipping.clipGradNorm_(List.of(p, q), 1, order, false);
        assertEquals(expected, norm, 1e-5);
        assertTrue(requireNonNull(p.grad()).isSparse());
        assertArrayEquals(
                new double[] {7 / expected, 0},
                requireNonNull(p.grad()).toDense().toDoubleArray(),
                1e-5);
        assertArrayEquals(new double[] {12 / expected}, gradient(q), 1e-5);
    }

    @Test
    void elementsOfSparseGradientsAreBounded() {
        Tensor p = sparse();
        GradientClipping.clipGradValue_(List.of(p), 5);
        Tensor gradient = requireNonNull(p.grad());
        assertTrue(gradient.isSparse());
        assertArrayEquals(new double[] {5, 0}, gradient.toDense().toDoubleArray());
    }

    @Test
    void elementsAreBounded() {
        Tensor p = parameter(3, -4, 0.5);
        GradientClipping.clipGradValue_(List.of(p, Tensor.zeros(1).requiresGrad(true)), 2);
        assertArrayEquals(new double[] {2, -2, 0.5}, gradient(p));
    }
}
