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

/** Requests that wait to be sent: for a time, or until another one has overtaken them. */
final class LateSends {
    private static final long MOST_HELD_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** Sends a request at once. */
    @FunctionalInterface
    interface Sender {
        void send(int to, Message request, long timeoutNanos, ReplyHandler handler);
    }

    private record LateSend(int to, Message request, long startNanos, OnceHandler handler) {}

    private final Sender sender;
    private final WorkerTime time;
    private final AtomicLong nextNumber = new AtomicLong();
    private final Map<Long, LateSend> waiting = new ConcurrentSkipListMap<>();
    private final Map<Integer, Long> heldFor = new ConcurrentHashMap<>(); // by destination
    private final AtomicInteger held = new AtomicInteger();
    private volatile boolean closed;

    LateSends(Sender sender, WorkerTime time) {
        this.sender = sender;
        this.time = time;
    }

    /** Send a request after a delay, also when its time is up by then: the callee runs it then. */
    void send(int to, Message request, long timeoutNanos, ReplyHandler handler, long delayNanos) {
        enter(to, request, timeoutNanos, handler, delayNanos);
    }

    /** Send a request after the next one to the same worker, or when none comes for a while. */
    void hold(int to, Message request, long timeoutNanos, ReplyHandler handler) {
        held.incrementAndGet();
        long number = enter(to, request, timeoutNanos, handler, MOST_HELD_NANOS);
        Long before = heldFor.put(to, number);
        if (before != null) {
            sendEarly(before); // has been overtaken by none, but is held no longer
        }
    }

    /** A request has been sent to a worker. */
    void overtaken(int to) {
        Long number = heldFor.isEmpty() ? null : heldFor.remove(to);
        if (number != null) {
            sendEarly(number);
        }
    }

    private long enter(
            int to, Message request, long timeoutNanos, ReplyHandler handler, long delayNanos) {
        var once = new OnceHandler(handler, timeoutNanos);
        long number = nextNumber.getAndIncrement();
        waiting.put(number, new LateSend(to, request, time.nanoTime(), once));
        if (timeoutNanos > 0 && timeoutNanos <= delayNanos) {
            var _ = time.schedule(once::onTimeout, timeoutNanos);
        }
        var _ = time.schedule(() -> sendAfter(number, delayNanos), delayNanos);
        if (closed) {
            sendAfter(number, delayNanos); // the closed agent ends it
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
            // Without end when the caller has given up by now.
            long left = timeoutNanos <= spentNanos ? 0 : timeoutNanos - spentNanos;
            sender.send(late.to, late.request, left, late.handler);
        }
    }

    /** {@return how many have been held so that others overtake them} */
    int held() {
        return held.get();
    }

    /** Send everything now, through an agent that is closed and ends it. */
    void close() {
        closed = true;
        List.copyOf(waiting.keySet()).forEach(number -> sendAfter(number, 0));
    }
}
