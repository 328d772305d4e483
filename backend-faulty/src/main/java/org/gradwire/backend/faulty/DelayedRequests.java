package org.gradwire.backend.faulty;

import org.gradwire.spi.Message;
import org.gradwire.spi.ReplyHandler;
import org.gradwire.spi.WorkerTime;

import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/** Requests that are sent after a delay, or after another request has overtaken them. */
final class DelayedRequests {
    private static final long MOST_HELD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Sends a request without a delay. */
    @FunctionalInterface
    interface Sender {
        void send(int to, Message request, long timeoutNanos, ReplyHandler handler);
    }

    private record LateSend(
            int to, Message request, long startNanos, FirstOutcomeHandler handler) {}

    private final Sender sender;
    private final WorkerTime time;
    private final AtomicLong nextNumber = new AtomicLong();
    private final Map<Long, LateSend> waiting = new ConcurrentSkipListMap<>();
    private final Map<Integer, Long> heldFor = new ConcurrentHashMap<>(); // by destination
    private final AtomicInteger held = new AtomicInteger();
    private volatile boolean closed;

    DelayedRequests(Sender sender, WorkerTime time) {
        this.sender = sender;
        this.time = time;
    }

    /** Send a request after a delay, even after its deadline: then the callee runs it too. */
    void send(int to, Message request, long timeoutNanos, ReplyHandler handler, long delayNanos) {
        enter(to, request, timeoutNanos, handler, delayNanos);
    }

    /** Send a request after the next one to the same worker, or after {@link #MOST_HELD_NANOS}. */
    void hold(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        held.incrementAndGet();
        long number = enter(to, request, timeoutNanos, handler, MOST_HELD_NANOS);
        Long before = heldFor.put(to, number);
        if (before != null) {
            sendEarly(before); // not overtaken, but only one request to a worker is held
        }
    }

    /** Send the held request to a worker, after another one was sent to it. */
    void overtaken(int to) {
        Long number = heldFor.isEmpty() ? null : heldFor.remove(to);
        if (number != null) {
            sendEarly(number);
        }
    }

    private long enter(
            int to, Message request, long timeoutNanos, ReplyHandler handler, long delayNanos) {
        var once = new FirstOutcomeHandler(handler, timeoutNanos);
        long number = nextNumber.getAndIncrement();
        waiting.put(number, new LateSend(to, request, time.nanoTime(), once));
        if (timeoutNanos > 0 && timeoutNanos <= delayNanos) {
            var _ = time.schedule(once::onTimeout, timeoutNanos);
        }
        var _ = time.schedule(() -> sendAfter(number, delayNanos), delayNanos);
        if (closed) {
            sendAfter(number, delayNanos); // the closed agent fails it
        }
        return number;
    }

    private void sendEarly(long number) {
        LateSend late = waiting.get(number);
        if (late != null) {
            sendAfter(number, time.nanoTime() - late.startNanos);
        }
    }

    private void sendAfter(long number, long spentNanos) {
        LateSend late = waiting.remove(number);
        if (late != null) {
            long timeoutNanos = late.handler.timeoutNanos();
            // Without a timeout after the caller's deadline.
            long left = timeoutNanos <= spentNanos ? 0 : timeoutNanos - spentNanos;
            sender.send(late.to, late.request, left, late.handler);
        }
    }

    /** {@return the number of requests held so far to be overtaken} */
    int held() {
        return held.get();
    }

    /** Send all requests now, through a closed agent, which fails them. */
    void close() {
        closed = true;
        List.copyOf(waiting.keySet()).forEach(number -> sendAfter(number, 0));
    }
}
