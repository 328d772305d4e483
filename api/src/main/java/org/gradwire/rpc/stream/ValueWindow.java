package org.gradwire.rpc.stream;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RRefCalls;
import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.rpc.RpcException;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcTimeoutException;
import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The consumer's end of a stream: requests in flight, values that have arrived, and credits.
 *
 * <p>A request grants the credits of the values taken since the last one. It is sent when it has
 * credits for a part of the window, or no value is left, so that requests without credits do not
 * occupy the places of those that have some. Thread-safe.
 */
final class ValueWindow<T> {
    private static final int MOST_REQUESTS = 4;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(5);

    private final RRef<?> values;
    private final RRef<Object> source;
    private final RRefCalls<Object> calls;
    private final StreamOptions options;
    private final Duration wait;
    private final int part; // credits of a request
    private final ArrayDeque<RpcFuture<List<Object>>> requests =
            new ArrayDeque<>(); // all guarded by this
    private final ArrayDeque<T> ready = new ArrayDeque<>();
    private long sent;
    private int granted; // credits of values that have not arrived
    private int owed; // credits of values that were taken
    private boolean ended;
    private boolean closed;
    private @Nullable RuntimeException broken;
    private long idleNanos; // that the producer has waited without a value

    /**
     * Create the end of a stream.
     *
     * @param values the result of the function, which keeps the references among its arguments open
     * @param timeout of messages
     */
    ValueWindow(RRef<?> values, RRef<Object> source, StreamOptions options, Duration timeout) {
        this.values = values;
        this.source = source;
        this.options = options;
        Duration idle = options.idleLimit();
        wait = idle.compareTo(LONGEST_WAIT) < 0 ? idle : LONGEST_WAIT;
        calls = source.withTimeout(wait.plus(timeout));
        part = Math.max(1, options.credits() / MOST_REQUESTS);
    }

    /** Send the first requests, which grant all credits. */
    synchronized void start() {
        int left = options.credits();
        for (int i = 1; i < MOST_REQUESTS && left > part; i++) {
            left -= part;
            send(part);
        }
        send(left);
    }

    /** {@return the nanoseconds of a time, at most those that fit} */
    static long nanos(Duration time) {
        return TimeUnit.NANOSECONDS.convert(time);
    }

    private void send(int credits) {
        granted += credits;
        try {
            requests.add(calls.rpcAsync(StreamCalls::next, sent++, credits, wait.toNanos()));
        } catch (RpcException failure) { // the worker is lost, or has refused the stream
            broken = broken == null ? failure : broken;
        }
    }

    /** {@return the next value; null if none has arrived} */
    synchronized @Nullable T poll() {
        T value = ready.poll();
        if (value != null) {
            owed++;
            idleNanos = 0;
            refill();
        }
        return value;
    }

    synchronized boolean isEmpty() {
        return ready.isEmpty();
    }

    /** {@return whether no further value arrives} */
    synchronized boolean isEnded() {
        return ended || closed;
    }

    /** {@return whether the program has closed the stream} */
    synchronized boolean isClosed() {
        return closed;
    }

    /** {@return the request whose reply has the next values; null at the end} */
    synchronized @Nullable RpcFuture<List<Object>> first() {
        return requests.peek();
    }

    /**
     * Take the values of the first request, if it has ended and no earlier value is left.
     *
     * @throws RuntimeException its failure, or that nothing arrived for too long
     */
    synchronized void receive() {
        if (closed || !ready.isEmpty()) {
            return;
        }
        RpcFuture<List<Object>> first = requests.peek();
        RuntimeException failure = broken;
        if (first == null && failure != null) {
            throw failure;
        }
        if (first == null || !first.isDone()) {
            return;
        }
        requests.remove();
        try {
            add(first.value());
        } catch (RuntimeException ofRequest) {
            throw failure == null ? ofRequest : failure;
        }
        refill();
    }

    @SuppressWarnings("unchecked") // javac checked the function's type
    private void add(List<Object> reply) {
        if (reply.isEmpty()
                || !(reply.getFirst() instanceof Boolean last)
                || reply.size() - 1 > granted) {
            throw new RpcException(
                    RpcErrorKind.UNDECODABLE,
                    "the reply of %s to a request for values is malformed, or has more than the %d values that it may have"
                            .formatted(source.owner().name(), granted));
        }
        granted -= reply.size() - 1;
        reply.stream().skip(1).forEach(value -> ready.add((T) value));
        ended = last;
        if (reply.size() > 1) {
            idleNanos = 0;
        } else if (!ended && requests.isEmpty()) { // requests in flight at once wait together
            idleNanos += wait.toNanos();
        }
        if (idleNanos >= nanos(options.idleLimit())) {
            throw new RpcTimeoutException(
                    "worker %s has made no value of a stream within %s; StreamOptions.withIdleLimit permits more"
                            .formatted(source.owner().name(), options.idleLimit()));
        }
    }

    private void refill() {
        boolean hasPart = owed >= part || (ready.isEmpty() && owed > 0);
        if (!ended
                && !closed
                && broken == null
                && openRequests() < MOST_REQUESTS
                && (hasPart || requests.isEmpty())) {
            int credits = owed;
            owed = 0;
            send(credits);
        }
    }

    /** {@return the number of requests without a reply} */
    private long openRequests() {
        return requests.stream().filter(request -> !request.isDone()).count();
    }

    /** Fail the stream if a request of it failed: its source will not exist. */
    void requires(RpcFuture<@Nullable Void> request) {
        request.onDone(done -> {
            try {
                done.value();
            } catch (RuntimeException failure) {
                fail(failure);
            }
        });
    }

    private void fail(RuntimeException failure) {
        List<RpcFuture<List<Object>>> open;
        synchronized (this) {
            broken = broken == null ? failure : broken;
            open = List.copyOf(requests);
        }
        open.forEach(RpcFuture::cancel); // wakes the consumer, which finds the failure
    }

    /** End the stream on both sides. */
    void close() {
        List<RpcFuture<List<Object>>> open;
        List<T> dropped;
        boolean atEnd;
        synchronized (this) {
            if (closed) {
                return;
            }
            closed = true;
            atEnd = ended;
            open = List.copyOf(requests);
            dropped = List.copyOf(ready);
            requests.clear();
            ready.clear();
        }
        if (!atEnd) {
            closeSource();
        }
        source.close();
        values.close();
        open.forEach(RpcFuture::cancel);
        dropped.forEach(ValueWindow::drop);
    }

    private void closeSource() {
        try {
            calls.rpcAsync(StreamCalls::close);
        } catch (RpcException _) {
            // it was never made, or its worker is lost
        }
    }

    private static void drop(Object value) {
        if (value instanceof RRef<?> reference) {
            reference.close();
        }
    }
}
