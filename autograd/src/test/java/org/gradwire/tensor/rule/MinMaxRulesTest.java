package org.gradwire.tensor.rule;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.autograd.Node;
import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.ValuesAndIndices;
import org.junit.jupiter.api.Test;

/** Maxima and minima in PyTorch's special cases: ties, NaN, no elements. */
class MinMaxRulesTest {
    private static final double NAN = Double.NaN;

    private static double[] gradient(Tensor leaf, Tensor result) {
        result.sum().backward();
        Tensor gradient = leaf.grad();
        assertNotNull(gradient);
        return gradient.toDoubleArray();
    }

    private static Tensor leaf(double... numbers) {
        return Tensor.of(numbers).requiresGrad(true);
    }

    @Test
    void equalOnesShareTheGradientOfTheWhole() {
        Tensor x = leaf(1, 3, 3, 3, 2);
        assertArrayEquals(new double[] {0, 1 / 3.0, 1 / 3.0, 1 / 3.0, 0}, gradient(x, x.max()));
        Tensor y = leaf(1, 3, 1);
        assertArrayEquals(new double[] {0.5, 0, 0.5}, gradient(y, y.min()));
        Tensor z = leaf(1, 3, 3);
        assertArrayEquals(new double[] {0, 0.5, 0.5}, gradient(z, z.amax()));
    }

    @Test
    void gradientAlongADimensionGoesToTheFirst() {
        Tensor x = Tensor.of(new double[][] {{1, 3, 3}, {5, 5, 2}}).requiresGrad(true);
        ValuesAndIndices largest = x.max(1);
        assertArrayEquals(new double[] {3, 5}, largest.values().toDoubleArray());
        assertArrayEquals(new long[] {1, 0}, largest.indices().toLongArray());
        assertFalse(largest.indices().requiresGrad());
        Node node = largest.values().gradFn();
        assertNotNull(node);
        assertEquals("MaxBackward0", node.name());
        assertArrayEquals(new double[] {0, 1, 0, 1, 0, 0}, gradient(x, largest.values()));
        Tensor y = Tensor.of(new double[][] {{1, 3}, {1, 2}}).requiresGrad(true);
        assertArrayEquals(new double[] {1, 0, 0, 1}, gradient(y, y.min(0, true).values()));
        assertArrayEquals(new int[] {1, 2}, y.min(0, true).indices().shape());
    }

    @Test
    void whatIsNoNumberWins() {
        Tensor x = leaf(1, NAN, NAN, 3);
        assertTrue(Double.isNaN(x.max().item()));
        assertEquals(1, x.argmax().itemAsLong());
        assertEquals(1, x.argmin().itemAsLong());
        assertArrayEquals(new double[] {0, 0.5, 0.5, 0}, gradient(x, x.max()));
        Tensor y = leaf(1, NAN, 3);
        assertArrayEquals(new double[] {NAN, NAN, NAN}, gradient(y, y.amax()));
        Tensor wide = Tensor.ones(3, 40).copy();
        wide.select(0, 1).narrow(0, 7, 1).fill_(Float.NaN);
        ValuesAndIndices columns = wide.max(0);
        assertTrue(Double.isNaN(columns.values().get(7)));
        assertEquals(1, columns.indices().getLong(7));
        assertEquals(0, columns.indices().getLong(8));
    }

    @Test
    void wholeNumbersStayWhole() {
        Tensor x = Tensor.of(new long[][] {{1, Long.MAX_VALUE}, {Long.MAX_VALUE - 1, 0}});
        assertEquals(Long.MAX_VALUE, x.max().itemAsLong());
        assertEquals(DType.INT64, x.amin(0).dtype());
        assertArrayEquals(new long[] {1, 0}, x.amin(0).toLongArray());
        assertArrayEquals(new long[] {1, 0}, x.argmax(1).toLongArray());
        assertEquals(1, x.argmax().itemAsLong());
        assertEquals(0, Tensor.scalar(3).max(0).indices().itemAsLong());
    }

    @Test
    void noRowsHaveNoExtremes() {
        Tensor none = Tensor.zeros(0, 3);
        assertArrayEquals(new int[] {0}, none.max(1).values().shape());
        assertArrayEquals(new int[] {0}, none.argmin(1).shape());
    }
}
