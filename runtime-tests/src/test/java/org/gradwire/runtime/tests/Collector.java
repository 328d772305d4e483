package org.gradwire.runtime.tests;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** A subscriber that requests a number of values at a time, and collects them. */
final class Collector implements Flow.Subscriber<Integer> {
    private final long each;
    private final int most;
    private final List<Integer> values = new CopyOnWriteArrayList<>();
    private final CompletableFuture<List<Integer>> end = new CompletableFuture<>();
    private Flow.@Nullable Subscription subscription; // confined to the signals

    Collector(long each) {
        this(each, Integer.MAX_VALUE);
    }

    /**
     * Create a subscriber that cancels its subscription.
     *
     * @param most number of values after which it does
     */
    Collector(long each, int most) {
        this.each = each;
        this.most = most;
    }

    @Override
    public void onSubscribe(Flow.Subscription made) {
        subscription = made;
        made.request(each);
    }

    @Override
    public void onNext(Integer value) {
        values.add(value);
        Flow.Subscription made = subscription;
        if (made == null || end.isDone()) {
            end.completeExceptionally(new AssertionError("a value before or after the stream"));
        } else if (values.size() == most) {
            made.cancel();
        } else if (values.size() % each == 0) {
            made.request(each);
        }
    }

    @Override
    public void onError(Throwable failure) {
        end.completeExceptionally(failure);
    }

    @Override
    public void onComplete() {
        end.complete(List.copyOf(values));
    }

    /** {@return the values received so far} */
    List<Integer> received() {
        return List.copyOf(values);
    }

    /** Wait for the end; return the values, or throw the failure. */
    List<Integer> values() throws InterruptedException {
        try {
            return end.orTimeout(30, TimeUnit.SECONDS).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            throw new AssertionError(e.getCause() instanceof TimeoutException ? "no end" : e);
        }
    }
}
