package org.gradwire.data;

import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * A map-style dataset: samples by index. The counterpart of {@code torch.utils.data.Dataset}.
 *
 * <p><b>Threads.</b> A {@link DataLoader} that loads ahead calls {@link #get} on several threads at
 * a time.
 *
 * @param <T> type of a sample
 */
public interface Dataset<T> {

    /** {@return the number of samples} */
    int size();

    /**
     * Load a sample.
     *
     * @param index from 0
     * @throws IndexOutOfBoundsException when there is no such sample
     */
    T get(int index);

    /** Return a dataset that applies a function to each sample when it is loaded. */
    default <U> Dataset<U> map(Function<? super T, ? extends U> function) {
        Dataset<T> from = this;
        return new Dataset<>() {
            @Override
            public int size() {
                return from.size();
            }

            @Override
            public U get(int index) {
                return function.apply(from.get(index));
            }
        };
    }

    /**
     * Return a subset of the samples, in the given order.
     *
     * @throws IndexOutOfBoundsException if an index has no sample
     */
    default Dataset<T> subset(int... indices) {
        int[] chosen = indices.clone();
        int size = size();
        for (int index : chosen) {
            if (index < 0 || index >= size) {
                throw new IndexOutOfBoundsException(
                        "index %d of a subset is out of range for a dataset of %d samples"
                                .formatted(index, size));
            }
        }
        Dataset<T> from = this;
        return new Dataset<>() {
            @Override
            public int size() {
                return chosen.length;
            }

            @Override
            public T get(int index) {
                return from.get(chosen[index]);
            }
        };
    }

    /**
     * Split the samples into random parts.
     *
     * @param seed the seed of the split
     * @param sizes the sizes of the parts, which sum to {@link #size}
     * @throws IllegalArgumentException when they are not
     */
    default List<Dataset<T>> randomSplit(long seed, int... sizes) {
        if (Arrays.stream(sizes).anyMatch(size -> size < 0)
                || Arrays.stream(sizes).asLongStream().sum() != size()) {
            throw new IllegalArgumentException(
                    "Sum of input lengths does not equal the length of the input dataset: %s for %d samples"
                            .formatted(Arrays.toString(sizes), size()));
        }
        int[] order = RandomPermutation.shuffled(size(), new SplittableRandom(seed));
        int[] ends = sizes.clone();
        Arrays.parallelPrefix(ends, Integer::sum);
        return IntStream.range(0, sizes.length)
                .mapToObj(i -> subset(Arrays.copyOfRange(order, ends[i] - sizes[i], ends[i])))
                .toList();
    }
}
