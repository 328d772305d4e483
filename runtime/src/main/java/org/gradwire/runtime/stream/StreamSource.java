package org.gradwire.runtime.stream;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcPromise;
import org.gradwire.rpc.RpcTimeoutException;
import org.gradwire.rpc.TypeMismatchException;
import org.gradwire.rpc.stream.StreamOptions;
import org.gradwire.runtime.function.CallerOperator.Caller;
import org.gradwire.runtime.rref.OwnedResource;
import org.gradwire.spi.Worker;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.TimeUnit;
import java.util.stream.BaseStream;

/**
 * The producer's end of a stream: the values that are ready, and the credits for others. It has
 * never more values than the consumer has granted credits for. Thread-safe.
 */
final class StreamSource implements ValueSink, OwnedResource {
    private static final long MOST_AHEAD = 64; // requests that overtook an earlier one
    private static final long LONGEST_WAIT_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final long LONGEST_IDLE_NANOS = TimeUnit.DAYS.toNanos(365);

    private final Worker worker;
    private final ValueProducer producer;
    private final int consumer;
    private final CreditLimit limit;
    private final long idleNanos;
    private final ArrayDeque<Object> ready = new ArrayDeque<>(); // all guarded by this
    private int credits; // for values that the producer has not made yet
    private long turn; // number of the next request to reply to
    private int requests; // that wait
    private boolean ended;
    private @Nullable Throwable failure;
    private RpcPromise<@Nullable Void> change;
    private long lastRequestNanos;

    private StreamSource(
            Worker worker, Caller consumer, Object values, long idleNanos, CreditLimit limit) {
        this.worker = worker;
        this.consumer = consumer.id();
        this.limit = limit;
        this.idleNanos = Math.clamp(idleNanos, 1, LONGEST_IDLE_NANOS);
        change = worker.rpc().promise();
        lastRequestNanos = worker.time().nanoTime();
        producer = producerOf(values, consumer.threads());
    }

    /**
     * Create the source of the values of an iterator, a stream or a publisher.
     *
     * @param consumer is charged for the work and the credits
     * @throws TypeMismatchException if it is none of them
     */
    static StreamSource of(
            Worker worker, Caller consumer, Object values, long idleNanos, CreditLimit limit) {
        var source = new StreamSource(worker, consumer, values, idleNanos, limit);
        source.producer.start();
        source.checkIdleAfter(source.idleNanos);
        return source;
    }

    private ValueProducer producerOf(Object values, Executor threads) {
        return switch (values) {
            case Iterator<?> iterator -> IteratorProducer.of(iterator, this, threads);
            case BaseStream<?, ?> stream -> IteratorProducer.of(stream, this, threads);
            case Flow.Publisher<?> publisher -> new PublisherProducer(publisher, this);
            default ->
                    throw new TypeMismatchException(
                            "a stream needs an Iterator, a Stream or a Flow.Publisher, but the function returned a "
                                    + values.getClass().getName());
        };
    }

    // ---- requests

    /**
     * Grant credits, and take the values that are ready, after a wait for the first.
     *
     * @param number of the request, from 0; they are replied to in this order
     * @return whether these are the last ones, then the values
     * @throws RuntimeException the failure of the producer, after all values
     */
    List<Object> next(long number, int newCredits, long waitNanos) {
        grant(newCredits);
        long start = worker.time().nanoTime();
        long wait = Math.clamp(waitNanos, 0, LONGEST_WAIT_NANOS);
        try {
            while (true) {
                long left = wait - (worker.time().nanoTime() - start);
                RpcPromise<@Nullable Void> next;
                synchronized (this) {
                    requireExpected(number, left);
                    if (number == turn && (left <= 0 || ended || !ready.isEmpty())) {
                        return take();
                    }
                    next = currentChange();
                }
                await(next, left);
            }
        } finally {
            end(start);
        }
    }

    private void grant(int newCredits) {
        synchronized (this) {
            long all = (long) credits + ready.size() + newCredits;
            if (newCredits < 0 || all > StreamOptions.MOST_CREDITS) {
                throw new IllegalArgumentException(
                        "a stream has at most %d credits, but a request grants %d of them"
                                .formatted(StreamOptions.MOST_CREDITS, newCredits));
            }
            if (requests >= MOST_AHEAD) {
                throw new IllegalArgumentException(
                        "%d requests of a stream wait already".formatted(requests));
            }
            if (!ended) {
                limit.add(consumer, newCredits);
                credits += newCredits;
            }
            requests++;
            lastRequestNanos = worker.time().nanoTime();
        }
        if (newCredits > 0) {
            producer.request(newCredits);
        }
    }

    private void requireExpected(long number, long left) {
        if (number < turn || number > turn + MOST_AHEAD || left < -LONGEST_WAIT_NANOS) {
            throw new IllegalArgumentException(
                    "request %d of a stream is not expected: the next one is %d"
                            .formatted(number, turn));
        }
    }

    /** {@return a future of the next change; called with the lock} */
    private RpcPromise<@Nullable Void> currentChange() {
        if (change.isDone()) {
            change = worker.rpc().promise();
        }
        return change;
    }

    private static void await(RpcPromise<@Nullable Void> next, long left) {
        try {
            next.join(Duration.ofNanos(left > 0 ? left : LONGEST_WAIT_NANOS));
        } catch (RpcTimeoutException _) {
            // the caller checks the time
        }
    }

    /** Take all values; called with the lock. */
    private List<Object> take() {
        Throwable thrown = failure;
        if (ready.isEmpty() && thrown != null) {
            turn++;
            throw unchecked(thrown);
        }
        List<Object> taken = new ArrayList<>(ready.size() + 1);
        taken.add(ended && thrown == null);
        taken.addAll(ready);
        clear();
        turn++;
        return taken;
    }

    /** Remove the values that are ready; called with the lock. */
    private void clear() {
        limit.remove(consumer, ready.size());
        ready.clear();
    }

    private static RuntimeException unchecked(Throwable thrown) {
        return thrown instanceof RuntimeException known
                ? known
                : new RpcException(RpcErrorKind.UNKNOWN, thrown.toString(), thrown);
    }

    private void end(long startNanos) {
        synchronized (this) {
            requests--;
            lastRequestNanos = Math.max(startNanos, worker.time().nanoTime());
        }
        changed();
    }

    /** Wake the requests that wait. */
    private void changed() {
        RpcPromise<@Nullable Void> now;
        synchronized (this) {
            now = change;
        }
        now.tryComplete(null);
    }

    // ---- values

    @Override
    public void offer(Object value) {
        boolean isExcess;
        synchronized (this) {
            if (ended) {
                return;
            }
            isExcess = credits == 0;
            if (!isExcess) {
                credits--;
                ready.add(value);
            }
        }
        if (isExcess) {
            end(
                    new IllegalStateException(
                            "the publisher of a stream sent a value that was not requested"));
        } else {
            changed();
        }
    }

    @Override
    public void end(@Nullable Throwable thrown) {
        synchronized (this) {
            if (ended) {
                return;
            }
            ended = true;
            failure = thrown;
            limit.remove(consumer, credits);
            credits = 0;
        }
        producer.close();
        changed();
    }

    /** End it for the consumer, which wants no further value. */
    void close() {
        close(new RpcException(RpcErrorKind.CANCELLED, "the stream was closed"));
    }

    private void close(RuntimeException reason) {
        synchronized (this) {
            clear();
        }
        end(reason);
    }

    @Override
    public void released() {
        close();
    }

    // ---- idle consumers

    private void checkIdleAfter(long nanos) {
        worker.executeLater(Duration.ofNanos(nanos), this::checkIdle);
    }

    private void checkIdle() {
        long left;
        synchronized (this) {
            if (ended) {
                return;
            }
            long idle = worker.time().nanoTime() - lastRequestNanos;
            left = requests > 0 ? idleNanos : idleNanos - idle;
        }
        if (left > 0) {
            checkIdleAfter(left);
        } else {
            close(
                    new RpcTimeoutException(
                            "no value of the stream was requested for "
                                    + Duration.ofNanos(idleNanos)));
        }
    }
}
