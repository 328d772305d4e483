package org.gradwire.conformance.network;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;

/** What is on its way through a faulty link, in the order in which it arrives. For one thread. */
final class DelayLine<T> {
    private final LinkFaults faults;
    private final Random random;
    private final PriorityQueue<Entry<T>> entries =
            new PriorityQueue<>(Comparator.comparingLong((Entry<T> entry) -> entry.age(0)));
    private long lost;

    /** Something that is due at a time of {@link System#nanoTime}. */
    private record Entry<T>(T value, long dueNanos) {
        long age(long nowNanos) {
            return dueNanos - nowNanos;
        }
    }

    DelayLine(LinkFaults faults) {
        this.faults = faults;
        random = new Random(faults.seed());
    }

    /** Let something enter, if it does not get lost. */
    void enter(T value, long nowNanos) {
        if (random.nextDouble() < faults.loss()) {
            lost++;
            return;
        }
        double off = (2 * random.nextDouble() - 1) * faults.jitter().toNanos();
        entries.add(new Entry<>(value, nowNanos + faults.delay().toNanos() + (long) off));
    }

    /** {@return nanoseconds until the next one arrives, 0 or less when it has; the most if none} */
    long untilNext(long nowNanos) {
        Entry<T> next = entries.peek();
        return next == null ? Long.MAX_VALUE : next.age(nowNanos);
    }

    /** Take out the next one, which must be there. */
    T take() {
        return entries.remove().value;
    }

    /** {@return how many were lost on the way} */
    long lost() {
        return lost;
    }
}
