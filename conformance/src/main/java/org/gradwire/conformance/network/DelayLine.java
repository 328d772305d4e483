package org.gradwire.conformance.network;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;

/** The frames in transit on a faulty link, in order of arrival. Confined to one thread. */
final class DelayLine<T> {
    private final LinkFaults faults;
    private final Random random;
    private final PriorityQueue<Entry<T>> entries =
            new PriorityQueue<>(Comparator.comparingLong((Entry<T> entry) -> entry.age(0)));
    private long lost;

    /** An element and its arrival time on the scale of {@link System#nanoTime}. */
    private record Entry<T>(T value, long dueNanos) {
        long age(long nowNanos) {
            return dueNanos - nowNanos;
        }
    }

    DelayLine(LinkFaults faults) {
        this.faults = faults;
        random = new Random(faults.seed());
    }

    /** Add an element, unless it is lost. */
    void enter(T value, long nowNanos) {
        if (random.nextDouble() < faults.loss()) {
            lost++;
            return;
        }
        double off = (2 * random.nextDouble() - 1) * faults.jitter().toNanos();
        entries.add(new Entry<>(value, nowNanos + faults.delay().toNanos() + (long) off));
    }

    /**
     * {@return nanoseconds until the next arrival; 0 or less if it is due, {@code Long.MAX_VALUE}
     * if none}
     */
    long untilNext(long nowNanos) {
        Entry<T> next = entries.peek();
        return next == null ? Long.MAX_VALUE : next.age(nowNanos);
    }

    /** Remove the next element, which must exist. */
    T take() {
        return entries.remove().value;
    }

    /** {@return the number of lost elements} */
    long lost() {
        return lost;
    }
}
