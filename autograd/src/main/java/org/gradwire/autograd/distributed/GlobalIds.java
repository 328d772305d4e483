package org.gradwire.autograd.distributed;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Ids that are unique in a group: the id of the worker that draws them in the upper 16 bits, then
 * its incarnation, and a counter in the lower 32 bits. Thread-safe.
 */
final class GlobalIds {
    private static final int WORKER_SHIFT = 48;
    private static final int INCARNATION_SHIFT = 32;

    private final AtomicLong next;

    GlobalIds(int worker, int incarnation) {
        next = new AtomicLong(first(worker) + ((long) incarnation << INCARNATION_SHIFT));
    }

    /** {@return an id that no worker has drawn before} */
    long draw() {
        return next.getAndIncrement();
    }

    /** {@return the worker that drew an id} */
    static int creator(long id) {
        return (int) (id >>> WORKER_SHIFT);
    }

    /** {@return the lowest id that a worker can draw} */
    static long first(int worker) {
        return (long) worker << WORKER_SHIFT;
    }

    /** {@return the highest id of the incarnation that drew an id} */
    static long lastOfIncarnation(long id) {
        return id | (1L << INCARNATION_SHIFT) - 1;
    }
}
