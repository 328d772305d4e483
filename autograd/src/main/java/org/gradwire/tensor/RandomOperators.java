package org.gradwire.tensor;

import java.util.random.RandomGenerator;

/** What is drawn by chance with the elements of a {@link Tensor} as probabilities. */
public sealed interface RandomOperators permits Tensor {

    /**
     * Draw 1 for each element with a probability of it, else 0; of this shape and type, without
     * history.
     *
     * @throws IllegalArgumentException when an element is not between 0 and 1, or the type has no
     *     fractions
     */
    default Tensor bernoulli(RandomGenerator generator) {
        return RandomChoices.bernoulli((Tensor) this, generator);
    }

    /**
     * Draw numbers of elements with probabilities in proportion to them, of a vector, or of each
     * row of a matrix.
     *
     * @param replacement whether a number may be drawn again
     * @return int64, shape (numSamples) or (rows, numSamples)
     * @throws IllegalArgumentException when an element is negative, infinite or NaN, all are zero,
     *     or fewer than {@code numSamples} are not and none may be drawn again
     */
    default Tensor multinomial(RandomGenerator generator, int numSamples, boolean replacement) {
        return RandomChoices.multinomial((Tensor) this, generator, numSamples, replacement);
    }
}
