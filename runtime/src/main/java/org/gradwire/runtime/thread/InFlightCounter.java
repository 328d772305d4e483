package org.gradwire.runtime.thread;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** Counts operations in flight, and waits until there are none. Thread-safe. */
public final class InFlightCounter {
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong begun = new AtomicLong();
    private final AtomicInteger waiting = new AtomicInteger(); // threads

    /**
     * Count the start of an operation. The count changes before {@link #begun}: a reader that sees
     * no operation in flight has not seen this one begin.
     */
    public void begin() {
        count.incrementAndGet();
        begun.incrementAndGet();
    }

    /** Count the end of an operation. */
    public void end() {
        if (count.decrementAndGet() == 0 && waiting.get() > 0) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** {@return the number of operations begun so far} */
    public long begun() {
        return begun.get();
    }

    /** {@return the number of operations in flight} */
    public int count() {
        return count.get();
    }

    /**
     * Wait until none is in flight.
     *
     * @param giveUp polled; ends the wait
     * @return whether none is in flight
     */
    synchronized boolean awaitNone(BooleanSupplier giveUp) throws InterruptedException {
        waiting.incrementAndGet();
        try {
            while (count.get() > 0) {
                if (giveUp.getAsBoolean()) {
                    return false;
                }
                wait(10);
            }
            return true;
        } finally {
            waiting.decrementAndGet();
        }
    }

    /**
     * Wait until none of several kinds is in flight; the end of one operation may begin another.
     *
     * @param giveUp polled; ends the wait
     * @return whether none is in flight
     */
    public static boolean awaitNone(List<InFlightCounter> kinds, BooleanSupplier giveUp)
            throws InterruptedException {
        long before;
        do {
            before = begun(kinds);
            for (InFlightCounter kind : kinds) {
                if (!kind.awaitNone(giveUp)) {
                    return false;
                }
            }
        } while (begun(kinds) != before);
        return true;
    }

    private static long begun(List<InFlightCounter> kinds) {
        return kinds.stream().mapToLong(InFlightCounter::begun).sum();
    }
}
