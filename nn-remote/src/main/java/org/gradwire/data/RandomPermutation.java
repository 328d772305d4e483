package org.gradwire.data;

import java.util.random.RandomGenerator;
import java.util.stream.IntStream;

/** Draws random permutations. */
final class RandomPermutation {

    private RandomPermutation() {}

    static int[] shuffled(int size, RandomGenerator random) {
        int[] order = IntStream.range(0, size).toArray();
        for (int i = size - 1; i > 0; i--) {
            int other = random.nextInt(i + 1);
            int kept = order[i];
            order[i] = order[other];
            order[other] = kept;
        }
        return order;
    }
}
