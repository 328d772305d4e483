package org.gradwire.tensor;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.LongStream;

/** Tensors of random numbers. */
class RandomFactoriesTest {
    private static final int COUNT = 20_000;

    private static SplittableRandom seeded() {
        return new SplittableRandom(11);
    }

    @Test
    void fractionsHaveTheirTypeAndDistribution() {
        for (DType dtype : new DType[] {DType.FLOAT32, DType.FLOAT64}) {
            Tensor even = Tensor.rand(seeded(), dtype, COUNT);
            assertEquals(dtype, even.dtype());
            assertEquals(0.5, even.mean().item(), 0.02);
            Tensor normal = Tensor.randn(seeded(), dtype, COUNT);
            assertEquals(0, normal.mean().item(), 0.03);
            assertEquals(1, normal.mul(normal).mean().item(), 0.05);
            assertTrue(normal.equal(Tensor.randn(seeded(), dtype, COUNT)));
        }
        Tensor moved = Tensor.normal(seeded(), 5, 2, COUNT);
        assertEquals(5, moved.mean().item(), 0.06);
        assertEquals(4, moved.sub(5).pow(2).mean().item(), 0.2);
        assertFails(
                IllegalArgumentException.class,
                "normal expects std >= 0.0, but found std -1",
                () -> Tensor.normal(seeded(), 0, -1, 2));
        assertFails(
                IllegalArgumentException.class,
                "random fractions are of a floating-point type, not int64",
                () -> Tensor.rand(seeded(), DType.INT64, 2));
    }

    @Test
    void wholeNumbersReachAllOfTheirRange() {
        Tensor numbers = Tensor.randint(seeded(), -2, 3, 10, 100);
        assertArrayEquals(new int[] {10, 100}, numbers.shape());
        assertArrayEquals(
                new long[] {-2, -1, 0, 1, 2},
                Arrays.stream(numbers.toLongArray()).distinct().sorted().toArray());
        assertFails(
                IllegalArgumentException.class,
                "random_ expects 'from' to be less than 'to', but got from=3 >= to=3",
                () -> Tensor.randint(seeded(), 3, 3, 1));
    }

    @Test
    void permutationsHaveEachNumberOnce() {
        long[] order = Tensor.randperm(seeded(), 500).toLongArray();
        long[] sorted = Arrays.stream(order).sorted().toArray();
        assertArrayEquals(LongStream.range(0, 500).toArray(), sorted);
        assertTrue(!Arrays.equals(sorted, order));
        assertEquals(0, Tensor.randperm(seeded(), 0).numel());
        assertFails(
                IllegalArgumentException.class,
                "Trying to create tensor with negative dimension -1",
                () -> Tensor.randperm(seeded(), -1));
    }

    @Test
    void manyNumbersAreThoseOfTheGeneratorInSequence() {
        SplittableRandom random = seeded();
        float[] expected = new float[10_001]; // several blocks, the last one is short
        for (int i = 0; i < expected.length; i++) {
            expected[i] = random.nextFloat(-1, 1);
        }
        Tensor drawn = Tensor.zeros(expected.length).uniform_(seeded(), -1, 1);
        assertArrayEquals(expected, drawn.toFloatArray());
    }

    @Test
    void aViewIsFilledInItsOwnOrder() {
        Tensor expected = Tensor.zeros(70, 90).normal_(seeded(), 0, 1);
        Tensor transposed = Tensor.zeros(90, 70).transpose(0, 1);
        transposed.normal_(seeded(), 0, 1);
        assertArrayEquals(expected.toFloatArray(), transposed.contiguous().toFloatArray());
        assertEquals(0, Tensor.zeros(0).uniform_(seeded(), 0, 1).numel());
    }
}
