package org.gradwire.tensor;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;

import org.junit.jupiter.api.Test;

import java.util.function.UnaryOperator;

/** Elementwise functions at their edges, as PyTorch 1.13 gave them. */
class MathTest {
    private static final double INF = Double.POSITIVE_INFINITY;
    private static final double NAN = Double.NaN;

    private static Tensor leaf(double... numbers) {
        return Tensor.of(numbers).requiresGrad(true);
    }

    private static double[] gradient(Tensor leaf) {
        Tensor gradient = leaf.grad();
        assertNotNull(gradient);
        return gradient.toDoubleArray();
    }

    private static double[] gradient(UnaryOperator<Tensor> function, double... numbers) {
        Tensor x = leaf(numbers);
        function.apply(x).sum().backward();
        return gradient(x);
    }

    @Test
    void powersHaveTheGradientsOfPyTorchAtTheirEdges() {
        Tensor base = leaf(0, 0, 0, 2, -2, 1, -1, 0, NAN, 1);
        Tensor exponent = leaf(0, 2, -1, 0, 2, NAN, INF, 0.5, 0, INF);
        Tensor power = base.pow(exponent);
        assertArrayEquals(new double[] {1, 0, INF, 1, 4, 1, 1, 0, 1, 1}, power.toDoubleArray());
        power.sum().backward();
        assertArrayEquals(new double[] {0, 0, -INF, 0, -4, NAN, INF, INF, 0, INF}, gradient(base));
        assertArrayEquals(
                new double[] {0, 0, -INF, Math.log(2), NAN, 0, NAN, 0, NAN, 0}, gradient(exponent));
        assertArrayEquals(new double[] {0, 0, -INF}, gradient(e -> Ops.pow(0, e), 0, 2, -1));
        assertArrayEquals(new double[] {NAN, NAN}, gradient(e -> Ops.pow(-2, e), 0, 2));
        assertArrayEquals(new double[] {0, 0}, gradient(x -> x.pow(0), 0, NAN));
        assertArrayEquals(new double[] {INF, 0.25}, gradient(x -> x.pow(0.5), 0, 4));
    }

    @Test
    void equalOnesShareTheGradientOfTheLarger() {
        Tensor a = leaf(1, 2, 3, NAN, 1);
        Tensor b = leaf(1, 3, 2, 1, NAN);
        Tensor larger = a.maximum(b);
        assertArrayEquals(new double[] {1, 3, 3, NAN, NAN}, larger.toDoubleArray());
        larger.sum().backward();
        assertArrayEquals(new double[] {0.5, 0, 1, 1, 1}, gradient(a));
        assertArrayEquals(new double[] {0.5, 1, 0, 1, 1}, gradient(b));
        Tensor c = leaf(1, 2, 3, NAN);
        c.minimum(b.detach().narrow(0, 0, 4)).sum().backward();
        assertArrayEquals(new double[] {0.5, 1, 0, 1}, gradient(c));
    }

    @Test
    void boundsThatAreNoNumbers() {
        double[] x = {1, 5, NAN, 0};
        Tensor tensor = Tensor.of(x);
        double[] none = {NAN, NAN, NAN, NAN};
        assertArrayEquals(none, tensor.clamp(NAN, 2).toDoubleArray());
        assertArrayEquals(x, tensor.clamp(NAN, null).toDoubleArray());
        assertArrayEquals(none, tensor.clampMax(NAN).toDoubleArray());
        assertArrayEquals(new double[] {1, 1, NAN, 0}, tensor.clamp(0, 1).toDoubleArray());
        assertArrayEquals(new double[] {2, 2, NAN, 2}, tensor.clamp(3, 2).toDoubleArray());
        assertArrayEquals(new double[] {0, 0, 0, 0}, gradient(v -> v.clamp(NAN, 2), x));
        assertArrayEquals(new double[] {0, 0, 0, 0}, gradient(v -> v.clamp(NAN, null), x));
        assertArrayEquals(new double[] {1, 0, 0, 1}, gradient(v -> v.clamp(0, 1), x));
        assertArrayEquals(new double[] {1, 1, 0, 0}, gradient(v -> v.clampMin(1), x));
        assertArrayEquals(new double[] {0, 0, 1, 0}, gradient(v -> v.hardtanh(-1, 1), 1, -1, 0, 2));
    }

    @Test
    void slopesAtKinksAreThoseOfPyTorch() {
        assertArrayEquals(new double[] {0, 0, 0, -1}, gradient(Tensor::abs, 0, -0.0, NAN, -3));
        assertArrayEquals(
                new double[] {0.01, 0.01, 0.01}, gradient(x -> x.leakyRelu(0.01), 0, -1, NAN));
        assertArrayEquals(new double[] {1, 1, 0}, gradient(x -> x.elu(1), 0, NAN, -INF));
        assertArrayEquals(new double[] {0.5, 1, 0}, gradient(Tensor::softplus, 0, 21, -1000));
        assertArrayEquals(
                new double[] {0.5, NAN, 0, 1}, gradient(Tensor::silu, 0, INF, -1000, 1000), 1e-15);
        assertArrayEquals(new double[] {0.5, NAN, 1}, gradient(Tensor::gelu, 0, -INF, 10), 1e-15);
        assertArrayEquals(new double[] {INF, 1}, gradient(Tensor::asin, 1, 0));
        assertArrayEquals(new double[] {0, 0}, gradient(Tensor::round, 0.5, 2));
        assertArrayEquals(
                new double[] {0, 2, 2, 0},
                Tensor.of(0.5, 1.5, 2.5, -0.5).round().abs().toDoubleArray());
        assertArrayEquals(
                new double[] {0, 0, -1, 1}, Tensor.of(NAN, -0.0, -3, INF).sign().toDoubleArray());
    }

    @Test
    void remaindersHaveTheSignOfOneOfTheTwo() {
        Tensor a = Tensor.of(5.0, -5.0, 5.0, -5.0, 5.0);
        Tensor b = Tensor.of(-3.0, 3.0, INF, INF, 0.0);
        assertArrayEquals(new double[] {-1, 1, 5, INF, NAN}, a.remainder(b).toDoubleArray());
        assertArrayEquals(new double[] {2, -2, 5, -5, NAN}, a.fmod(b).toDoubleArray());
        assertArrayEquals(new long[] {1, 0, 1}, Tensor.of(1, -2, 3).remainder(2).toLongArray());
        assertArrayEquals(new long[] {-1, 1}, Tensor.of(-1, 3).fmod(-2).toLongArray());
        assertFails(
                ArithmeticException.class, "ZeroDivisionError", () -> Tensor.of(1).remainder(0));
    }

    @Test
    void weightsFromTheNearerEnd() {
        Tensor far = Tensor.of(1e30, 1.0);
        assertEquals(1, far.lerp(Tensor.of(1.0, 2.0), 1).get(0));
        assertArrayEquals(
                new double[] {1, 1.25},
                far.lerp(Tensor.of(1.0, 2.0), Tensor.of(1, 0.25)).toDoubleArray());
    }

    @Test
    void wholeNumbersStayWholeWhereTheFunctionDoes() {
        Tensor x = Tensor.of(1, -2, 3);
        assertArrayEquals(new long[] {1, 2, 3}, x.abs().toLongArray());
        assertArrayEquals(new long[] {1, -1, 1}, x.sign().toLongArray());
        assertArrayEquals(new long[] {1, 4, 9}, x.square().toLongArray());
        assertArrayEquals(new long[] {1, -2, 3}, x.floor().toLongArray());
        assertArrayEquals(new long[] {1, 0, 27}, x.pow(x).toLongArray());
        assertArrayEquals(new long[] {1, 0, 2}, x.clamp(0, 2).toLongArray());
        assertEquals(DType.FLOAT32, x.clamp(0.5, 2).dtype());
        assertEquals(DType.FLOAT32, x.reciprocal().dtype());
        assertEquals(DType.FLOAT32, x.atan2(x).dtype());
        assertEquals(DType.FLOAT32, Ops.pow(2.0, x).dtype());
        assertEquals(3486784401L, Tensor.of(3).pow(20).itemAsLong());
        assertEquals(-8, Tensor.of(-2).pow(3).itemAsLong());
    }
}
