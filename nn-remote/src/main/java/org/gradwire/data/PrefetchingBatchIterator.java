package org.gradwire.data;

import java.lang.ref.Cleaner;
import java.time.Duration;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/**
 * Prefetches batches on virtual threads, up to a given number ahead of their use.
 *
 * <p>Neither a task nor the cleaner refers to the iterator, so an abandoned iterator can be
 * collected, which interrupts its threads.
 */
final class PrefetchingBatchIterator<B> implements BatchIterator<B> {
    private static final Cleaner CLEANER = Cleaner.create();

    private final int count;
    private final int ahead;
    private final Duration timeout;
    private final IntFunction<B> load;
    private final Queue<FutureTask<B>> loading = new ConcurrentLinkedQueue<>();
    private final Cleaner.Cleanable cleanable;
    private int begun;
    private int given;
    private boolean closed;

    PrefetchingBatchIterator(int count, int ahead, Duration timeout, IntFunction<B> load) {
        this.count = count;
        this.ahead = ahead;
        this.timeout = timeout;
        this.load = load;
        Queue<FutureTask<B>> tasks = loading;
        this.cleanable = CLEANER.register(this, () -> cancel(tasks));
        begin();
    }

    private void begin() {
        IntFunction<B> source = load;
        while (begun - given < ahead && begun < count) {
            int number = begun++;
            var task = new FutureTask<>(() -> source.apply(number));
            loading.add(task);
            Thread.ofVirtual().name("gradwire-load-batch-" + number).start(task);
        }
    }

    private static <B> void cancel(Queue<FutureTask<B>> tasks) {
        tasks.forEach(task -> task.cancel(true));
        tasks.clear();
    }

    @Override
    public boolean hasNext() {
        return !closed && given < count;
    }

    @Override
    public B next() {
        if (!hasNext()) {
            throw new NoSuchElementException(
                    closed
                            ? "the iterator is closed"
                            : "the epoch has only %d batches".formatted(count));
        }
        return ahead == 0 ? load.apply(given++) : await();
    }

    private B await() {
        begin();
        int number = given;
        FutureTask<B> task = loading.element();
        try {
            B batch = task.get(TimeUnit.NANOSECONDS.convert(timeout), TimeUnit.NANOSECONDS);
            pass();
            return batch;
        } catch (ExecutionException e) {
            pass();
            throw failure(e, number);
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "DataLoader timed out: batch %d was not loaded within %s; raise timeout, or find the cause in the dataset"
                            .formatted(number, timeout),
                    e);
        } catch (InterruptedException e) {
            cancel(loading);
            begun = given; // the next call restarts them
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for batch " + number, e);
        }
    }

    /** Remove the first batch, which is loaded or has failed, and start loading another. */
    private void pass() {
        var _ = loading.remove();
        given++;
        begin();
    }

    private static RuntimeException failure(ExecutionException e, int number) {
        return switch (e.getCause()) {
            case Error error -> throw error;
            case RuntimeException failure -> failure;
            case null, default ->
                    new IllegalStateException("batch %d could not be loaded".formatted(number), e);
        };
    }

    @Override
    public void close() {
        closed = true;
        cleanable.clean();
    }
}
