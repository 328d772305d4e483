package org.gradwire.tensor.rule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;

import java.util.function.UnaryOperator;

/** Variances, norms, products and the like at their edges, as PyTorch 1.13 gave them. */
class StatisticsTest {
    private static final double INF = Double.POSITIVE_INFINITY;
    private static final double NAN = Double.NaN;

    private static double[] gradient(UnaryOperator<Tensor> function, double... numbers) {
        Tensor x = Tensor.of(numbers).requiresGrad(true);
        function.apply(x).sum().backward();
        Tensor gradient = x.grad();
        assertNotNull(gradient);
        return gradient.toDoubleArray();
    }

    @Test
    void varianceOfTooFewElements() {
        assertTrue(Double.isNaN(Tensor.of(1.0).var().item()));
        assertEquals(0.5, Tensor.of(1.0, 2.0).var().item());
        assertEquals(0.25, Tensor.of(1.0, 2.0).var(false).item());
        int[] first = {0};
        assertEquals(INF, Tensor.of(1.0, 2.0).var(first, 3, false).item());
        assertArrayEquals(new double[] {-INF, INF}, gradient(x -> x.var(first, 2, false), 1, 2));
        assertArrayEquals(new double[] {1, -1}, gradient(x -> x.var(first, 3, false), 1, 2));
        assertArrayEquals(new double[] {0, 0}, gradient(x -> x.std(), 2, 2));
        assertTrue(Double.isNaN(Tensor.zeros(0, 3).var().item()));
    }

    @Test
    void varianceOfLargeNumbersIsExact() {
        Tensor x = Tensor.of(1e8 + 1, 1e8 + 2, 1e8 + 3);
        assertEquals(1, x.var().item(), 1e-9);
    }

    @Test
    void gradientOfANormAtZeroIsZero() {
        for (double p : new double[] {0, 0.5, 1, 1.5, 2, 3, INF, -INF, -1}) {
            assertArrayEquals(new double[] {0, 0}, gradient(x -> x.norm(p), 0, 0), "p " + p);
        }
        assertArrayEquals(new double[] {0, -1, 0}, gradient(x -> x.norm(INF), 3, -4, 0));
        assertArrayEquals(new double[] {0.5, -0.5}, gradient(x -> x.norm(INF), 4, -4));
        assertEquals(2, Tensor.of(3.0, -4.0, 0.0).norm(0).item());
        assertEquals(5, Tensor.of(3f, -4f).norm().item());
    }

    @Test
    void normOfNothingIsZero() {
        Tensor none = Tensor.zeros(0, 3);
        for (double p : new double[] {0, 2, -1, INF, -INF}) {
            assertEquals(0, none.norm(p).item());
        }
        assertArrayEquals(new float[3], none.norm(INF, new int[] {0}, false).toFloatArray());
    }

    @Test
    void gradientOfAProductIsTheProductOfTheOthers() {
        assertArrayEquals(new double[] {6, 0, 0}, gradient(Tensor::prod, 0, 2, 3));
        assertArrayEquals(new double[] {0, 0, 0}, gradient(Tensor::prod, 0, 0, 3));
        assertArrayEquals(new double[] {6, 6, 4}, gradient(Tensor::prod, 2, 2, 3));
        assertArrayEquals(new double[] {INF, 0}, gradient(Tensor::prod, 0, INF));
        assertEquals(1, Tensor.zeros(0, 3).prod().item());
        assertArrayEquals(new float[] {1, 1, 1}, Tensor.zeros(0, 3).prod(0).toFloatArray());
        assertEquals(6, Tensor.of(1, 2, 3).prod().itemAsLong());
    }

    @Test
    void logSumExpNeitherOverflowsNorLosesInfinity() {
        assertEquals(1000 + Math.log(2), Tensor.of(1000.0, 1000.0).logsumexp(0).item(), 1e-12);
        assertEquals(-INF, Tensor.of(-INF, -INF).logsumexp(0).item());
        assertEquals(INF, Tensor.of(-INF, INF).logsumexp(0).item());
        assertTrue(Double.isNaN(Tensor.of(1, NAN).logsumexp(0).item()));
        assertArrayEquals(new double[] {0, 1}, gradient(x -> x.logsumexp(0), -INF, 5));
        assertArrayEquals(new double[] {NAN, NAN}, gradient(x -> x.logsumexp(0), -INF, -INF));
        assertEquals(-INF, Tensor.zeros(0).logsumexp(0).item());
        assertEquals(DType.FLOAT32, Tensor.of(1, 2).logsumexp(0).dtype());
    }

    @Test
    void runningSumsOfManyElementsStayExact() {
        Tensor ones = Tensor.full(0.1f, 1000, 20);
        Tensor sums = ones.cumsum(0);
        assertEquals(100, sums.get(999, 3), 1e-4);
        assertEquals(2000, ones.reshape(-1).cumsum(0).get(19_999), 1e-3);
        Tensor whole = Tensor.arange(5).cumsum(-1);
        assertArrayEquals(new long[] {0, 1, 3, 6, 10}, whole.toLongArray());
    }
}
