package org.gradwire.runtime;

import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/** How many of something are under way, and a way to wait until none is. */
final class ActiveCalls {
    private final AtomicInteger count = new AtomicInteger();
    private final AtomicLong begun = new AtomicLong();
    private final AtomicInteger waiting = new AtomicInteger(); // threads

    /** Counts first what is under way: who sees that none is, has not seen this one begin. */
    void begin() {
        count.incrementAndGet();
        begun.incrementAndGet();
    }

    void end() {
        if (count.decrementAndGet() == 0 && waiting.get() > 0) {
            synchronized (this) {
                notifyAll();
            }
        }
    }

    /** {@return how many have begun so far} */
    long begun() {
        return begun.get();
    }

    int count() {
        return count.get();
    }

    /**
     * Wait until none is under way.
     *
     * @param giveUp asked every so often
     * @return whether none is
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
     * Wait until none of several kinds is under way, of which the end of one may begin another.
     *
     * @param giveUp asked every so often
     * @return whether none is
     */
    static boolean awaitNone(List<ActiveCalls> kinds, BooleanSupplier giveUp)
            throws InterruptedException {
        long before;
        do {
            before = begun(kinds);
            for (ActiveCalls kind : kinds) {
                if (!kind.awaitNone(giveUp)) {
                    return false;
                }
            }
        } while (begun(kinds) != before);
        return true;
    }

    private static long begun(List<ActiveCalls> kinds) {
        return kinds.stream().mapToLong(ActiveCalls::begun).sum();
    }
}
