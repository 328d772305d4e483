package org.gradwire.runtime;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/** How many of something are under way, and a way to wait until none is. */
final class ActiveCalls {
    private final AtomicInteger count = new AtomicInteger();

    void begin() {
        count.incrementAndGet();
    }

    void end() {
        if (count.decrementAndGet() == 0) {
            synchronized (this) {
                notifyAll();
            }
        }
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
        while (count.get() > 0) {
            if (giveUp.getAsBoolean()) {
                return false;
            }
            wait(10);
        }
        return true;
    }
}
