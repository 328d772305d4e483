package org.gradwire.nn;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.autograd.GradMode;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The results of layers, and the initial values of their parameters. */
class LayersTest {

    @Test
    void linearIsAffine() {
        var layer = new Linear(2, 3, 7);
        assign(layer.weight(), Tensor.of(new float[][] {{1, 2}, {3, 4}, {5, 6}}));
        assign(layer.bias(), Tensor.of(0.5f, 0, -1));
        Tensor input = Tensor.of(new float[][] {{1, 1}, {0, -1}});
        assertArrayEquals(
                new float[] {3.5f, 7, 10, -1.5f, -4, -7}, layer.forward(input).toFloatArray());
        assertArrayEquals(new int[] {2, 3}, layer.forward(input).shape());
        assertEquals("Linear(in_features=2, out_features=3, bias=True)", layer.toString());
    }

    @Test
    void linearBeginsWithinItsBound() {
        var layer = new Linear(16, 300, 7);
        for (Tensor parameter : layer.parameters()) {
            double largest = 0;
            for (float number : parameter.toFloatArray()) {
                largest = Math.max(largest, Math.abs(number));
            }
            assertTrue(largest <= 0.25 && largest > 0.24, "largest is " + largest);
        }
    }

    @Test
    void parametersFollowFromTheSeed() {
        assertTrue(new Linear(3, 4, 7).weight().equal(new Linear(3, 4, 7).weight()));
        assertFalse(new Linear(3, 4, 7).weight().equal(new Linear(3, 4, 8).weight()));
        var table = new EmbeddingBag(5, 2, "sum", 7);
        assertTrue(table.weight().equal(new EmbeddingBag(5, 2, "mean", 7).weight()));
        assertFalse(table.weight().equal(new EmbeddingBag(5, 2, "sum", 8).weight()));
    }

    @ParameterizedTest
    @CsvSource({"0,1", "1,0", "-1,2"})
    void linearWithoutFeaturesIsRefused(int in, int out) {
        var e = assertThrows(IllegalArgumentException.class, () -> new Linear(in, out, 1));
        assertEquals(
                "a linear layer needs at least one feature on each side, not %d and %d"
                        .formatted(in, out),
                e.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"sum,1", "mean,2"})
    void embeddingBagReducesItsVectors(String mode, float size) {
        var table = new EmbeddingBag(3, 2, mode, 7);
        assign(table.weight(), Tensor.of(new float[][] {{1, 2}, {3, 4}, {5, 6}}));
        Tensor bags = table.forward(Tensor.of(0, 2, 1, 1, 2), Tensor.of(0, 2, 4));
        assertArrayEquals(
                new float[] {6 / size, 8 / size, 6 / size, 8 / size, 5, 6}, bags.toFloatArray());
        bags.sum().backward();
        float share = 1 / size;
        assertArrayEquals(
                new float[] {share, share, 2 * share, 2 * share, 1 + share, 1 + share},
                requireNonNull(table.weight().grad()).toFloatArray());
        assertEquals("EmbeddingBag(3, 2, mode=" + mode + ")", table.toString());
    }

    @Test
    void gradientOfATableMayBeSparse() {
        var table = EmbeddingBag.builder(5, 2).mode("sum").sparse(true).build(7);
        Tensor indices = Tensor.of(0, 3, 3);
        table.forward(indices, Tensor.of(0, 1)).sum().backward();
        Tensor gradient = requireNonNull(table.weight().grad());
        assertTrue(gradient.isSparse());
        Tensor twice = Tensor.of(new float[][] {{1, 1}, {0, 0}, {0, 0}, {2, 2}, {0, 0}});
        assertTrue(gradient.toDense().equal(twice), gradient::toString);
        var copy = new EmbeddingBag(table.configuration());
        copy.forward(indices, Tensor.of(0, 1)).sum().backward();
        assertTrue(requireNonNull(copy.weight().grad()).isSparse());
    }

    @Test
    void embeddingBagKnowsThreeModes() {
        var e =
                assertThrows(
                        IllegalArgumentException.class, () -> new EmbeddingBag(3, 2, "first", 1));
        assertEquals("mode 'first' is none of sum, mean and max", e.getMessage());
    }

    @Test
    void sequentialPassesOn() {
        var first = new Linear(2, 2, 1);
        var second = new Linear(2, 1, 2);
        Tensor input = Tensor.of(new float[][] {{1, -2}});
        Tensor expected = second.forward(first.forward(input).tanh());
        assertTrue(expected.equal(new Sequential(first, Tensor::tanh, second).forward(input)));
        assertTrue(input.equal(new Sequential().forward(input)));
    }

    private static void assign(Tensor parameter, Tensor values) {
        try (var _ = GradMode.noGrad()) {
            parameter.copy_(values);
        }
    }
}
