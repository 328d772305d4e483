package org.gradwire.data;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;
import java.util.stream.IntStream;

/** Batches, their order, and what loads ahead. */
@Timeout(60)
class DataLoaderTest {

    private static Dataset<Integer> numbers(int size, IntFunction<Integer> load) {
        return new Dataset<>() {
            @Override
            public int size() {
                return size;
            }

            @Override
            public Integer get(int index) {
                return load.apply(index);
            }
        };
    }

    private static Dataset<Integer> numbers(int size) {
        return numbers(size, index -> index);
    }

    private static <B> List<B> all(DataLoader<B> loader) {
        List<B> batches = new ArrayList<>();
        loader.forEach(batches::add);
        return batches;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 3, 100})
    void batchesHaveTheOrderOfTheSamplesHoweverManyAreLoadedAhead(int prefetch) {
        var builder = DataLoader.of(numbers(7), List::copyOf).batchSize(3).prefetch(prefetch);
        DataLoader<List<Integer>> loader = builder.build();
        assertEquals(List.of(List.of(0, 1, 2), List.of(3, 4, 5), List.of(6)), all(loader));
        assertEquals(3, loader.size());
        DataLoader<List<Integer>> full = builder.dropLast(true).build();
        assertEquals(List.of(List.of(0, 1, 2), List.of(3, 4, 5)), all(full));
        assertEquals(2, full.size());
        assertEquals(List.of(), all(DataLoader.of(numbers(0), List::copyOf).build()));
        var iterator = full.iterator();
        iterator.next();
        iterator.next();
        assertFalse(iterator.hasNext());
        assertThrows(NoSuchElementException.class, iterator::next);
    }

    @Test
    void tensorsAreStackedPlaceByPlace() {
        Tensor x = Tensor.arange(10).view(5, 2);
        Tensor y = Tensor.of(0f, 1, 2, 3, 4);
        var batches = all(DataLoader.of(new TensorDataset(x, y)).batchSize(2).prefetch(2).build());
        assertEquals(3, batches.size());
        assertArrayEquals(new int[] {2, 2}, batches.getFirst().getFirst().shape());
        assertArrayEquals(new long[] {4, 5, 6, 7}, batches.get(1).getFirst().toLongArray());
        assertArrayEquals(new float[] {4}, batches.getLast().getLast().toFloatArray());
        assertEquals(
                "Size mismatch between tensors: shapes [5, 2] and [4]; the first extents must be the same",
                message(() -> new TensorDataset(x, y.narrow(0, 0, 4))));
    }

    @Test
    void theOrderFollowsFromSeedAndEpoch() {
        var builder = DataLoader.of(numbers(50), List::copyOf).batchSize(50);
        DataLoader<List<Integer>> loader = builder.shuffle(42).build();
        List<Integer> first = all(loader).getFirst();
        List<Integer> second = all(loader).getFirst();
        assertNotEquals(first, second);
        assertEquals(IntStream.range(0, 50).boxed().toList(), first.stream().sorted().toList());
        DataLoader<List<Integer>> again = builder.shuffle(42).build();
        again.epoch(1);
        assertEquals(second, all(again).getFirst());
        assertNotEquals(first, all(builder.shuffle(43).build()).getFirst());
    }

    @Test
    void everyPairOfSeedAndEpochHasAnOrderOfItsOwn() {
        Set<List<Integer>> orders = new HashSet<>();
        for (int seed = 0; seed < 5; seed++) {
            for (int epoch = 0; epoch < 5; epoch++) {
                int[] order = Sampler.shuffled(seed).indices(50, epoch);
                assertTrue(
                        orders.add(Arrays.stream(order).boxed().toList()),
                        "seed %d, epoch %d".formatted(seed, epoch));
            }
        }
    }

    @Test
    void samplesThatDoNotFitTogetherAreRefusedByTheirIndices() {
        Tensor one = Tensor.of(1f);
        var samples =
                List.of(List.of(one), List.of(one), List.of(one, one), List.of(one.view(1, 1)));
        Dataset<List<Tensor>> uneven = numbers(4).map(samples::get);
        assertEquals(
                "each element in list of batch should be of equal size: sample 1 has 1 tensors of shapes [[1]], sample 2 has 2 of shapes [[1], [1]]; pass a function to DataLoader.of that pads or groups them",
                message(() -> next(uneven, 1, 2)));
        assertEquals(
                "each element in list of batch should be of equal size: sample 0 has 1 tensors of shapes [[1]], sample 3 has 1 of shapes [[1, 1]]; pass a function to DataLoader.of that pads or groups them",
                message(() -> next(uneven, 0, 3)));
    }

    /** Load one batch of some samples. */
    private static void next(Dataset<List<Tensor>> dataset, int... order) {
        Sampler sampler = (_, _) -> order;
        try (var batches =
                DataLoader.of(dataset).batchSize(2).sampler(sampler).build().iterator()) {
            batches.next();
        }
    }

    @Test
    void workersShareTheSamples() {
        List<Integer> seen = new ArrayList<>();
        for (int rank = 0; rank < 3; rank++) {
            Sampler sampler = Sampler.distributed(Sampler.shuffled(7), rank, 3);
            int[] indices = sampler.indices(10, 2);
            assertEquals(4, indices.length);
            Arrays.stream(indices).forEach(seen::add);
        }
        assertEquals(12, seen.size());
        assertEquals(10, seen.stream().distinct().count());
        assertEquals(0, Sampler.distributed(Sampler.sequential(), 1, 2).indices(0, 0).length);
        assertEquals(
                "Invalid rank 2, rank should be in the interval [0, 1]",
                message(() -> Sampler.distributed(Sampler.sequential(), 2, 2)));
    }

    @Test
    void batchesAreLoadedAheadSideBySide() throws InterruptedException {
        var together = new CountDownLatch(3);
        var most = new AtomicInteger();
        Dataset<Integer> slow =
                numbers(
                        6,
                        index -> {
                            most.accumulateAndGet(index, Math::max);
                            together.countDown();
                            await(together);
                            assertTrue(Thread.currentThread().isVirtual());
                            return index;
                        });
        var iterator = DataLoader.of(slow, List::copyOf).prefetch(3).build().iterator();
        assertTrue(together.await(30, TimeUnit.SECONDS));
        assertEquals(2, most.get(), "no more are loaded than asked for");
        assertEquals(List.of(0), iterator.next());
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void whatLoadingThrowsIsThrownInItsTurn(int prefetch) {
        var failure = new IllegalArgumentException("sample 3 is broken");
        Dataset<Integer> broken =
                numbers(
                        5,
                        index -> {
                            if (index == 3) {
                                throw failure;
                            }
                            return index;
                        });
        var iterator =
                DataLoader.of(broken, List::copyOf)
                        .batchSize(2)
                        .prefetch(prefetch)
                        .build()
                        .iterator();
        assertEquals(List.of(0, 1), iterator.next());
        assertSame(failure, assertThrows(IllegalArgumentException.class, iterator::next));
        assertEquals(List.of(4), iterator.next());
    }

    @Test
    void aBatchThatTakesTooLongIsGivenUp() {
        var never = new CountDownLatch(1);
        Dataset<Integer> hanging =
                numbers(
                        1,
                        index -> {
                            await(never);
                            return index;
                        });
        var iterator =
                DataLoader.of(hanging, List::copyOf)
                        .prefetch(1)
                        .timeout(Duration.ofMillis(20))
                        .build()
                        .iterator();
        String message =
                String.valueOf(
                        assertThrows(IllegalStateException.class, iterator::next).getMessage());
        never.countDown();
        assertEquals(
                "DataLoader timed out: batch 0 was not loaded within PT0.02S; raise timeout, or find the cause in the dataset",
                message);
    }

    @Test
    void aBatchThatTookTooLongIsReturnedByALaterCall() {
        var gated = new Gated();
        var batches = gated.loader().timeout(Duration.ofMillis(20)).build().iterator();
        assertThrows(IllegalStateException.class, batches::next);
        assertThrows(IllegalStateException.class, batches::next);
        gated.gate.countDown();
        assertEquals(List.of(List.of(0), List.of(1), List.of(2)), patientlyAll(batches));
    }

    /** Collect all batches, however often loading one takes longer than the timeout. */
    private static <B> List<B> patientlyAll(BatchIterator<B> batches) {
        List<B> all = new ArrayList<>();
        while (batches.hasNext()) {
            try {
                all.add(batches.next());
            } catch (IllegalStateException e) {
                assertTrue(String.valueOf(e.getMessage()).startsWith("DataLoader timed out"));
            }
        }
        return all;
    }

    /** Three samples, of which the first two wait for a gate. */
    private static final class Gated {
        final CountDownLatch waiting = new CountDownLatch(2);
        final CountDownLatch gate = new CountDownLatch(1);
        final CountDownLatch interrupted = new CountDownLatch(2);

        DataLoader.Builder<Integer, List<Integer>> loader() {
            return DataLoader.of(numbers(3, this::load), List::<Integer>copyOf).prefetch(2);
        }

        private Integer load(int index) {
            if (index < 2) {
                waiting.countDown();
                try {
                    gate.await();
                } catch (InterruptedException e) {
                    interrupted.countDown();
                    throw new IllegalStateException(e);
                }
            }
            return index;
        }
    }

    @Test
    void anInterruptEndsLoadingAndLosesNoBatch() throws InterruptedException {
        var gated = new Gated();
        var batches = gated.loader().build().iterator();
        assertTrue(gated.waiting.await(30, TimeUnit.SECONDS));
        Thread.currentThread().interrupt();
        var e = assertThrows(IllegalStateException.class, batches::next);
        assertTrue(Thread.interrupted());
        assertEquals("interrupted while waiting for batch 0", e.getMessage());
        assertTrue(gated.interrupted.await(30, TimeUnit.SECONDS), "both threads end");
        gated.gate.countDown();
        assertEquals(List.of(List.of(0), List.of(1), List.of(2)), patientlyAll(batches));
    }

    @Test
    void closingEndsLoading() throws InterruptedException {
        var gated = new Gated();
        var batches = gated.loader().build().iterator();
        assertTrue(gated.waiting.await(30, TimeUnit.SECONDS));
        batches.close();
        batches.close();
        assertTrue(gated.interrupted.await(30, TimeUnit.SECONDS), "both threads end");
        assertFalse(batches.hasNext());
        var e = assertThrows(NoSuchElementException.class, batches::next);
        assertEquals("the iterator is closed", e.getMessage());
    }

    @Test
    void givingUpAnIteratorEndsLoading() throws InterruptedException {
        var gated = new Gated();
        beginAndGiveUp(gated);
        do {
            System.gc();
        } while (!gated.interrupted.await(10, TimeUnit.MILLISECONDS));
    }

    private static void beginAndGiveUp(Gated gated) throws InterruptedException {
        var batches = gated.loader().build().iterator();
        assertTrue(gated.waiting.await(30, TimeUnit.SECONDS));
        assertTrue(batches.hasNext());
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void errorsOfLoadingAreThrownAsTheyAre(int prefetch) {
        var error = new OutOfMemoryError("a sample is too large");
        Dataset<Integer> huge =
                numbers(
                        1,
                        _ -> {
                            throw error;
                        });
        var batches = DataLoader.of(huge, List::copyOf).prefetch(prefetch).build().iterator();
        assertSame(error, assertThrows(OutOfMemoryError.class, batches::next));
        assertFalse(batches.hasNext());
    }

    @Test
    void aTimeoutMayBeAsLongAsDurationsAre() {
        var forever = Duration.ofSeconds(Long.MAX_VALUE);
        var loader = DataLoader.of(numbers(1), List::copyOf).prefetch(1).timeout(forever).build();
        assertEquals(List.of(List.of(0)), all(loader));
    }

    @Test
    void datasetsAreDividedAndChanged() {
        Dataset<Integer> squares = numbers(10).map(n -> n * n);
        assertEquals(81, squares.get(9));
        Dataset<Integer> some = squares.subset(3, 1);
        assertEquals(2, some.size());
        assertEquals(9, some.get(0));
        List<Dataset<Integer>> parts = numbers(10).randomSplit(5, 7, 3);
        List<Integer> seen = new ArrayList<>();
        for (Dataset<Integer> part : parts) {
            IntStream.range(0, part.size()).forEach(i -> seen.add(part.get(i)));
        }
        assertEquals(List.of(7, 3), parts.stream().map(Dataset::size).toList());
        assertEquals(IntStream.range(0, 10).boxed().toList(), seen.stream().sorted().toList());
        assertEquals(
                "Sum of input lengths does not equal the length of the input dataset: [7, 2] for 10 samples",
                message(() -> numbers(10).randomSplit(5, 7, 2)));
        assertEquals(
                "index 10 of a subset is out of range for a dataset of 10 samples",
                assertThrows(IndexOutOfBoundsException.class, () -> numbers(10).subset(10))
                        .getMessage());
    }

    @Test
    void wrongOptionsAreRefused() {
        var builder = DataLoader.of(numbers(1), List::copyOf);
        assertEquals("batchSize must be 1 or more, but is 0", message(() -> builder.batchSize(0)));
        assertEquals("prefetch should be at least 0, got -1", message(() -> builder.prefetch(-1)));
        assertEquals(
                "timeout should be greater than 0, got PT0S",
                message(() -> builder.timeout(Duration.ZERO)));
    }

    private static String message(Runnable action) {
        return String.valueOf(
                assertThrows(IllegalArgumentException.class, action::run).getMessage());
    }
}
