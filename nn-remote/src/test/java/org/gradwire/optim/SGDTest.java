package org.gradwire.optim;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** Steps of stochastic gradient descent. */
class SGDTest {

    @Test
    void stepGoesAgainstTheGradient() {
        Tensor p = parameter(1, 2);
        p.grad(Tensor.of(10f, -20f));
        new SGD(List.of(p), 0.1).step();
        assertArrayEquals(new float[] {0, 4}, p.toFloatArray(), 1e-6f);
        assertTrue(p.isLeaf() && p.requiresGrad());
    }

    @Test
    void momentumCarriesOn() {
        Tensor p = parameter(0);
        var optimizer = new SGD(List.of(p), 1, 0.5);
        float[] expected = {-1, -2.5f, -4.25f}; // velocities 1, 1.5, 1.75
        for (float value : expected) {
            p.grad(Tensor.of(1f));
            optimizer.step();
            assertEquals(value, p.get(0), 1e-6);
        }
    }

    private static Tensor sparseGradient() {
        Tensor indices = Tensor.of(new long[][] {{2, 0, 2}});
        return Tensor.sparseCoo(indices, Tensor.of(1f, 2f, 3f), 3);
    }

    @Test
    void sparseGradientsChangeTheirElements() {
        Tensor p = parameter(1, 2, 3);
        p.grad(sparseGradient());
        var optimizer = new SGD(List.of(p), 0.5);
        optimizer.step();
        assertArrayEquals(new float[] {0, 2, 1}, p.toFloatArray(), 1e-6f);
        optimizer.step(Map.of(p, sparseGradient()));
        assertArrayEquals(new float[] {-1, 2, -1}, p.toFloatArray(), 1e-6f);
    }

    @Test
    void sparseGradientsCarryMomentum() {
        Tensor p = parameter(0, 0, 0);
        p.grad(sparseGradient());
        var optimizer = new SGD(List.of(p), 1, 0.5);
        optimizer.step();
        optimizer.step();
        assertArrayEquals(new float[] {-5, 0, -10}, p.toFloatArray(), 1e-6f);
    }

    @Test
    void parametersWithoutGradientStay() {
        Tensor p = parameter(1);
        Tensor q = parameter(2);
        q.grad(Tensor.of(1f));
        new SGD(List.of(p, q), 1, 0.9).step();
        assertEquals(1, p.get(0));
        assertEquals(1, q.get(0));
    }

    @Test
    void givenGradientsAreUsedInsteadOfTheTensors() {
        Tensor p = parameter(1);
        Tensor q = parameter(2);
        p.grad(Tensor.of(100f));
        new SGD(List.of(p, q), 1).step(Map.of(q, Tensor.of(3f)));
        assertEquals(1, p.get(0));
        assertEquals(-1, q.get(0));
        assertEquals(100, requireNonNull(p.grad()).get(0));
    }

    @Test
    void zeroGradForgets() {
        Tensor p = parameter(1);
        p.grad(Tensor.of(1f));
        new SGD(List.of(p), 1).zeroGrad();
        assertNull(p.grad());
    }

    private static Tensor parameter(float... values) {
        return Tensor.of(values).requiresGrad(true);
    }
}
