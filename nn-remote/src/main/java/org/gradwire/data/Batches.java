package org.gradwire.data;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.IntFunction;

/**
 * The batches of an epoch in order: of those that come next, some are being loaded by virtual
 * threads.
 */
final class Batches<B> implements Iterator<B> {
    private final int count;
    private final int ahead;
    private final Duration timeout;
    private final IntFunction<B> load;
    private final Queue<FutureTask<B>> loading = new ArrayDeque<>();
    private int begun;
    private int given;

    Batches(int count, int ahead, Duration timeout, IntFunction<B> load) {
        this.count = count;
        this.ahead = ahead;
        this.timeout = timeout;
        this.load = load;
        begin();
    }

    private void begin() {
        while (loading.size() < ahead && begun < count) {
            int number = begun++;
            var task = new FutureTask<>(() -> load.apply(number));
            loading.add(task);
            Thread.ofVirtual().name("gradwire-load-batch-" + number).start(task);
        }
    }

    @Override
    public boolean hasNext() {
        return given < count;
    }

    @Override
    public B next() {
        if (!hasNext()) {
            throw new NoSuchElementException("the epoch has only %d batches".formatted(count));
        }
        int number = given++;
        FutureTask<B> task = loading.poll();
        if (task == null) {
            return load.apply(number);
        }
        begin();
        return await(task, number);
    }

    private B await(FutureTask<B> task, int number) {
        try {
            return task.get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new IllegalStateException("batch %d could not be loaded".formatted(number), e);
        } catch (TimeoutException e) {
            throw new IllegalStateException(
                    "DataLoader timed out: batch %d was not loaded within %s; raise timeout, or look why the dataset takes so long"
                            .formatted(number, timeout),
                    e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted while waiting for batch " + number, e);
        }
    }
}
