package org.gradwire.rpc.stream;

import org.gradwire.rpc.RpcFuture;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Delivers the values of a stream to a subscriber, one at a time. Thread-safe. */
final class Delivery<T> implements Flow.Subscription {
    private final ValueWindow<T> window;
    private final Flow.Subscriber<? super T> subscriber;
    private final AtomicLong demand = new AtomicLong();
    private final AtomicInteger pending = new AtomicInteger(); // rounds of delivery
    private volatile @Nullable RuntimeException refusal;
    private @Nullable RpcFuture<List<Object>> awaited; // these two confined to the round
    private boolean done;

    Delivery(ValueWindow<T> window, Flow.Subscriber<? super T> subscriber) {
        this.window = window;
        this.subscriber = subscriber;
    }

    void start() {
        pending.set(1); // nothing is delivered before the subscriber has its subscription
        subscriber.onSubscribe(this);
        runRounds();
    }

    @Override
    public void request(long n) {
        if (n <= 0) {
            refusal =
                    new IllegalArgumentException(
                            "a subscriber must request at least 1 value, but requested " + n);
        } else {
            demand.accumulateAndGet(n, (a, b) -> a + b < 0 ? Long.MAX_VALUE : a + b);
        }
        deliver();
    }

    @Override
    public void cancel() {
        window.close();
    }

    private void deliver() {
        if (pending.getAndIncrement() == 0) {
            runRounds();
        }
    }

    private void runRounds() {
        int seen = 1;
        do {
            seen = pending.get();
            round();
        } while (pending.addAndGet(-seen) > 0);
    }

    private void round() {
        try {
            if (!done && !window.isClosed()) {
                deliverReady();
            }
        } catch (RuntimeException failure) {
            end();
            subscriber.onError(failure);
        }
    }

    private void deliverReady() {
        RuntimeException refused = refusal;
        if (refused != null) {
            throw refused;
        }
        window.receive();
        while (demand.get() > 0) {
            T value = window.poll();
            if (value == null) {
                break;
            }
            demand.decrementAndGet();
            next(value);
            window.receive();
        }
        if (window.isClosed()) {
            return;
        }
        if (window.isEnded() && window.isEmpty()) {
            end();
            subscriber.onComplete();
        } else {
            awaitReply();
        }
    }

    /** Deliver a value; a subscriber that throws ends the stream. */
    private void next(T value) {
        try {
            subscriber.onNext(value);
        } catch (RuntimeException | Error broken) {
            end();
            throw broken;
        }
    }

    private void end() {
        done = true;
        window.close();
    }

    private void awaitReply() {
        RpcFuture<List<Object>> first = window.first();
        if (first != null && !first.equals(awaited)) {
            awaited = first;
            first.onDone(_ -> deliver());
        }
    }
}
