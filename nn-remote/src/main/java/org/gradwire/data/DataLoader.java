package org.gradwire.data;

import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Loads batches of a {@link Dataset}; each iteration is an epoch. The counterpart of {@code
 * torch.utils.data.DataLoader}.
 *
 * {@snippet :
 * var loader = DataLoader.of(new TensorDataset(x, y)).batchSize(32).shuffle(42).prefetch(4).build();
 * for (List<Tensor> batch : loader) {
 *     train(batch.get(0), batch.get(1));
 * }
 * }
 *
 * <p>With {@linkplain Builder#prefetch prefetch}, virtual threads load the next batches while one
 * is used; the order stays. {@linkplain BatchIterator#close Closing} an iterator, or collecting it
 * as garbage, interrupts the threads that load its batches.
 *
 * <p><b>Threads.</b> Each iteration belongs to one thread; several may run at a time, each with its
 * own epoch.
 *
 * @param <B> type of a batch
 */
public final class DataLoader<B> implements Iterable<B> {
    private final int size;
    private final Function<int[], B> load;
    private final int batchSize;
    private final boolean dropLast;
    private final Sampler sampler;
    private final int prefetch;
    private final Duration timeout;
    private final AtomicLong epoch = new AtomicLong();

    private DataLoader(Builder<?, B> builder, int size, Function<int[], B> load) {
        this.size = size;
        this.load = load;
        this.batchSize = builder.batchSize;
        this.dropLast = builder.dropLast;
        this.sampler = builder.sampler;
        this.prefetch = builder.prefetch;
        this.timeout = builder.timeout;
    }

    /**
     * Start a builder for samples that are lists of tensors, which are stacked by position. Loading
     * a batch throws {@link IllegalArgumentException}, which names two samples by their indices in
     * the dataset, when they have different numbers of tensors, or tensors of different shapes.
     */
    public static Builder<List<Tensor>, List<Tensor>> of(Dataset<List<Tensor>> dataset) {
        return new Builder<>(dataset, DataLoader::stack);
    }

    /**
     * Start a builder for samples of any type.
     *
     * @param collate makes a batch of samples; may run on several threads at a time
     */
    public static <T, B> Builder<T, B> of(
            Dataset<T> dataset, Function<? super List<T>, ? extends B> collate) {
        return new Builder<>(dataset, (samples, _) -> collate.apply(samples));
    }

    /** Collates samples, given with their indices in the dataset, into a batch. */
    private interface Collation<T, B> {
        B collate(List<T> samples, int[] indices);
    }

    private static List<Tensor> stack(List<List<Tensor>> samples, int[] indices) {
        List<int[]> expected = shapes(samples.getFirst());
        for (int i = 1; i < indices.length; i++) {
            List<int[]> found = shapes(samples.get(i));
            if (!Arrays.deepEquals(expected.toArray(), found.toArray())) {
                throw new IllegalArgumentException(
                        "each element in list of batch should be of equal size: sample %d has %d tensors of shapes %s, sample %d has %d of shapes %s; pass a function to DataLoader.of that pads or groups them"
                                .formatted(
                                        indices[0],
                                        expected.size(),
                                        Arrays.deepToString(expected.toArray()),
                                        indices[i],
                                        found.size(),
                                        Arrays.deepToString(found.toArray())));
            }
        }
        return IntStream.range(0, expected.size())
                .mapToObj(i -> Ops.stack(samples.stream().map(each -> each.get(i)).toList(), 0))
                .toList();
    }

    private static List<int[]> shapes(List<Tensor> sample) {
        return sample.stream().map(Tensor::shape).toList();
    }

    /**
     * Builds a loader.
     *
     * @param <T> type of a sample
     * @param <B> type of a batch
     */
    public static final class Builder<T, B> {
        private final Dataset<T> dataset;
        private final Collation<T, B> collation;
        private int batchSize = 1;
        private boolean dropLast;
        private Sampler sampler = Sampler.sequential();
        private int prefetch;
        private Duration timeout = Duration.ofMinutes(10);

        private Builder(Dataset<T> dataset, Collation<T, B> collation) {
            this.dataset = dataset;
            this.collation = collation;
        }

        /** Set the number of samples in a batch; 1 by default. */
        public Builder<T, B> batchSize(int samples) {
            if (samples < 1) {
                throw new IllegalArgumentException(
                        "batchSize must be 1 or more, but is " + samples);
            }
            batchSize = samples;
            return this;
        }

        /** Drop the last batch if it is incomplete. */
        public Builder<T, B> dropLast(boolean wanted) {
            dropLast = wanted;
            return this;
        }

        /** Shuffle the samples in each epoch with a seeded generator. */
        public Builder<T, B> shuffle(long seed) {
            return sampler(Sampler.shuffled(seed));
        }

        /** Set the sampler; all samples in order by default. */
        public Builder<T, B> sampler(Sampler order) {
            sampler = order;
            return this;
        }

        /** Set the number of batches to prefetch on virtual threads; 0 by default. */
        public Builder<T, B> prefetch(int batches) {
            if (batches < 0) {
                throw new IllegalArgumentException("prefetch should be at least 0, got " + batches);
            }
            prefetch = batches;
            return this;
        }

        /** Set the timeout of the wait for a prefetched batch; 10 minutes by default. */
        public Builder<T, B> timeout(Duration limit) {
            if (!limit.isPositive()) {
                throw new IllegalArgumentException(
                        "timeout should be greater than 0, got " + limit);
            }
            timeout = limit;
            return this;
        }

        /** {@return the loader} */
        public DataLoader<B> build() {
            return new DataLoader<>(this, dataset.size(), this::load);
        }

        private B load(int[] indices) {
            List<T> samples = new ArrayList<>(indices.length);
            for (int index : indices) {
                samples.add(dataset.get(index));
            }
            return collation.collate(samples, indices);
        }
    }

    /** {@return the number of batches of the next epoch} */
    public int size() {
        return batches(sampler.indices(size, epoch.get()).length);
    }

    private int batches(int samples) {
        return dropLast
                ? samples / batchSize
                : (int) ((samples + (long) batchSize - 1) / batchSize);
    }

    /** {@return the next epoch, from 0} */
    public long epoch() {
        return epoch.get();
    }

    /** Set the next epoch, for example after a restart. The first is 0. */
    public void epoch(long number) {
        epoch.set(number);
    }

    /**
     * Start an epoch. {@link BatchIterator#next} rethrows a failure of the load.
     *
     * @return its batches; close it when not all of them are used
     */
    @Override
    public BatchIterator<B> iterator() {
        int[] order = sampler.indices(size, epoch.getAndIncrement());
        int count = batches(order.length);
        return new PrefetchingBatchIterator<>(
                count,
                prefetch,
                timeout,
                number -> {
                    int from = number * batchSize;
                    int to = Math.min(from + batchSize, order.length);
                    return load.apply(Arrays.copyOfRange(order, from, to));
                });
    }

    @Override
    public String toString() {
        return "DataLoader[%d samples, batchSize=%d, dropLast=%s, prefetch=%d]"
                .formatted(size, batchSize, dropLast, prefetch);
    }
}
