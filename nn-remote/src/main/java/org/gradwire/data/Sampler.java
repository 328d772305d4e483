package org.gradwire.data;

import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Says which samples an epoch has, and in which order. */
@FunctionalInterface
public interface Sampler {

    /**
     * Return the indices of an epoch.
     *
     * @param size of the dataset
     * @param epoch from 0 on
     */
    int[] indices(int size, long epoch);

    /** Return one that gives all samples, in order. */
    static Sampler sequential() {
        return (size, _) -> IntStream.range(0, size).toArray();
    }

    /** Return one that gives all samples, in an order that follows from a seed and the epoch. */
    static Sampler shuffled(long seed) {
        return (size, epoch) -> Orders.shuffled(size, generator(seed, epoch));
    }

    private static SplittableRandom generator(long seed, long epoch) {
        return new SplittableRandom(new SplittableRandom(seed).nextLong() + epoch);
    }

    /**
     * Return one that gives each of several workers a part of the samples of another: as many to
     * each, so that they take as many steps; the first ones come again where they do not suffice.
     * The counterpart of {@code DistributedSampler}.
     *
     * @param all the same on all workers, with the same seed
     * @param rank of this worker, from 0 on
     * @param workers how many there are
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
