package org.gradwire.attack.intruder;

import java.util.concurrent.atomic.AtomicLong;

/** Counts the outcomes of the inputs of one attack. Thread-safe. */
final class InputCounter {
    private final long limit;
    private final long deadlineNanos;
    private final AtomicLong inputs = new AtomicLong();
    private final AtomicLong refused = new AtomicLong();
    private final AtomicLong served = new AtomicLong();
    private final AtomicLong connections = new AtomicLong();

    InputCounter(long limit, long seconds) {
        this.limit = limit;
        deadlineNanos = System.nanoTime() + seconds * 1_000_000_000;
    }

    /** {@return whether all inputs were sent, or the time is up} */
    boolean isOver() {
        return inputs.get() >= limit || System.nanoTime() - deadlineNanos > 0;
    }

    /** {@return the number of inputs that may still be sent} */
    long left() {
        return Math.max(0, limit - inputs.get());
    }

    void sent() {
        inputs.incrementAndGet();
    }

    void sent(int count) {
        inputs.addAndGet(count);
    }

    void refused(int count) {
        refused.addAndGet(count);
    }

    void served(int count) {
        served.addAndGet(count);
    }

    void refused() {
        refused(1);
    }

    void served() {
        served(1);
    }

    void connected() {
        connections.incrementAndGet();
    }

    /** {@return the outcomes so far} */
    InputCounts inputCounts() {
        return new InputCounts(inputs.get(), refused.get(), served.get(), connections.get());
    }
}
