package org.gradwire.tensor.rule;

import static org.gradwire.tensor.testing.FailureAssertions.assertFails;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.DType;
import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.SplittableRandom;

/** Sampling with fixed seeds. */
class SamplingRulesTest {
    private static final long SEED = 7;

    @Test
    void elementsAreProbabilitiesOfOne() {
        Tensor p = Tensor.full(0.3, 100, 100).requiresGrad(true);
        Tensor drawn = p.bernoulli(new SplittableRandom(SEED));
        assertEquals(DType.FLOAT32, drawn.dtype());
        assertFalse(drawn.requiresGrad());
        assertEquals(0.3, drawn.mean().item(), 0.015, "seed " + SEED);
        assertEquals(2, drawn.unique().numel());
        assertTrue(drawn.equal(p.bernoulli(new SplittableRandom(SEED))));
        Tensor sure = Tensor.of(0f, 1, 0, 1);
        assertTrue(sure.equal(sure.bernoulli(new SplittableRandom(SEED))));
        assertFails(
                IllegalArgumentException.class,
                "bernoulli: a probability must be from 0 to 1, but element 1 is 1.5",
                () -> Tensor.of(0.5, 1.5).bernoulli(new SplittableRandom(SEED)));
    }

    @Test
    void numbersAreDrawnInProportion() {
        Tensor weights = Tensor.of(new float[][] {{1, 0, 3}, {0, 0, 2}});
        Tensor drawn = weights.multinomial(new SplittableRandom(SEED), 8000, true);
        assertArrayEquals(new int[] {2, 8000}, drawn.shape());
        Tensor first = drawn.select(0, 0);
        assertEquals(0.25, first.eq(0).to(DType.FLOAT32).mean().item(), 0.02, "seed " + SEED);
        assertFalse(first.eq(1).any().itemAsBoolean());
        assertTrue(drawn.select(0, 1).eq(2).all().itemAsBoolean());
    }

    @Test
    void numbersAreDrawnOnceWithoutReplacement() {
        Tensor weights = Tensor.of(1.0, 0, 8, 1);
        int[] first = new int[4];
        for (int i = 0; i < 4000; i++) {
            long[] drawn =
                    weights.multinomial(new SplittableRandom(SEED + i), 3, false).toLongArray();
            assertArrayEquals(new long[] {0, 2, 3}, Arrays.stream(drawn).sorted().toArray());
            first[(int) drawn[0]]++;
        }
        assertEquals(0.8, first[2] / 4000.0, 0.03, "from seed " + SEED);
        assertFails(
                IllegalArgumentException.class,
                "multinomial without replacement draws at most one sample for each element that is not zero, but got 4 samples of 3 such elements",
                () -> weights.multinomial(new SplittableRandom(SEED), 4, false));
    }

    @Test
    void whatIsNoProbabilityIsRefused() {
        assertFails(
                IllegalArgumentException.class,
                "probability tensor contains either `inf`, `nan` or element < 0: -1.0",
                () -> Tensor.of(1.0, -1).multinomial(new SplittableRandom(SEED), 1, true));
        assertFails(
                IllegalArgumentException.class,
                "invalid multinomial distribution (sum of probabilities <= 0)",
                () -> Tensor.zeros(3).multinomial(new SplittableRandom(SEED), 1, true));
        assertFails(
                IllegalArgumentException.class,
                "multinomial expects probabilities of a floating point dtype, got int64",
                () -> Tensor.arange(3).multinomial(new SplittableRandom(SEED), 1, true));
        assertFails(
                IllegalArgumentException.class,
                "multinomial: expected a vector or matrix with columns and at least 1 sample, got float32[2] and 0 samples",
                () -> Tensor.ones(2).multinomial(new SplittableRandom(SEED), 0, true));
    }

    @Test
    void numbersLikeATensorHaveItsShapeAndType() {
        Tensor like = Tensor.ones(DType.FLOAT64, 3, 2);
        for (Tensor made :
                new Tensor[] {
                    Tensor.randLike(new SplittableRandom(SEED), like),
                    Tensor.randnLike(new SplittableRandom(SEED), like)
                }) {
            assertEquals(DType.FLOAT64, made.dtype());
            assertArrayEquals(like.shape(), made.shape());
            assertEquals(6, made.unique().numel());
        }
    }
}
