package org.gradwire.data;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Selects the samples of an epoch and their order. */
@FunctionalInterface
public interface Sampler {

    /**
     * Return the indices of an epoch.
     *
     * @param size of the dataset
     * @param epoch from 0
     */
    int[] indices(int size, long epoch);

    /** Return a sampler of all samples in order. */
    static Sampler sequential() {
        return (size, _) -> IntStream.range(0, size).toArray();
    }

    /** Return a sampler of all samples in an order drawn from a seed and the epoch. */
    static Sampler shuffled(long seed) {
        return (size, epoch) -> RandomPermutation.shuffled(size, generator(seed, epoch));
    }

    private static SplittableRandom generator(long seed, long epoch) {
        return new SplittableRandom(new SplittableRandom(seed).nextLong() + epoch);
    }

    /**
     * Return a sampler that partitions another sampler's samples among workers. All workers get the
     * same number, so that they take the same number of steps; the first samples repeat as padding.
     * The counterpart of {@code DistributedSampler}.
     *
     * @param all the whole order, identical on all workers with the same seed
     * @param rank the rank of this worker
     * @param workers the number of workers
     * @throws IllegalArgumentException when there is no such rank
     */
    static Sampler distributed(Sampler all, int rank, int workers) {
        if (workers < 1 || rank < 0 || rank >= workers) {
            throw new IllegalArgumentException(
                    "Invalid rank %d, rank should be in the interval [0, %d]"
                            .formatted(rank, workers - 1));
        }
        return (size, epoch) -> {
            int[] indices = all.indices(size, epoch);
            int each = (int) ((indices.length + (long) workers - 1) / workers);
            return IntStream.range(0, each)
                    .map(i -> indices[(int) ((rank + (long) i * workers) % indices.length)])
                    .toArray();
        };
    }
}
