package org.gradwire.spi;

import java.util.concurrent.TimeUnit;

/**
 * For how long a thread should poll before it sleeps, from how long the last waits were and whether
 * others want its core.
 *
 * <p>Polling saves the microseconds that waking up takes, so it pays where what is waited for comes
 * soon and a core is free. Where none is, a thread that yields gets its core back after a whole
 * slice of time, milliseconds, which one that is woken up does not: so after a yield that took long
 * threads only spin for the shortest waits, and do not yield for a time that doubles whenever it is
 * found too short. One instance serves threads that wait for the same kind of thing.
 */
public final class PollingTime {
    private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(5);
    private static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(600);
    private static final long SHORT_WITHOUT_CORE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long MOST_COUNTED_NANOS = 4 * SHORT_NANOS;
    private static final int MEMORY = 8;
    private static final long LONG_YIELD_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long LEAST_WITHOUT_YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MOST_WITHOUT_YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(64);

    private static final int SOON = 8;

    // Lost updates of these do no harm.
    private volatile long typicalNanos;
    private volatile boolean isYieldLong;
    private volatile long withoutYieldNanos;
    private volatile long yieldAgainNanos = System.nanoTime();

    /** Create one that expects short waits, and cores for all. */
    public PollingTime() {}

    /** Tell how long a wait was, until what was waited for came. */
    public void waited(long nanos) {
        long before = typicalNanos;
        isYieldLong = false;
        typicalNanos = before + (Math.min(nanos, MOST_COUNTED_NANOS) - before) / MEMORY;
    }

    /** Tell how long a thread that had nothing to do gave its core to others. */
    public void yielded(long nanos) {
        isYieldLong = nanos > LONG_YIELD_NANOS;
    }

    /** A yield took long, and what was waited for did not come in that time. */
    private void yieldedInVain(long now) {
        isYieldLong = false;
        boolean isSoon = now - yieldAgainNanos < SOON * withoutYieldNanos;
        long without = isSoon ? 2 * withoutYieldNanos : 0;
        without = Math.clamp(without, LEAST_WITHOUT_YIELD_NANOS, MOST_WITHOUT_YIELD_NANOS);
        withoutYieldNanos = without;
        yieldAgainNanos = now + without;
    }

    /** {@return whether what is waited for probably comes before a thread should sleep} */
    public boolean isWorthwhile() {
        return isWorthwhile(System.nanoTime());
    }

    private boolean isWorthwhile(long now) {
        boolean hasCore = now - yieldAgainNanos >= 0;
        return typicalNanos <= (hasCore ? SHORT_NANOS : SHORT_WITHOUT_CORE_NANOS);
    }

    /**
     * Let a moment pass: spin at first, then yield.
     *
     * @param idleNanos for how long there was nothing to do
     * @param mostNanos after which a thread sleeps also where waits are short
     * @return whether to look for work once more; false: the thread should sleep
     */
    public boolean pause(long idleNanos, long mostNanos) {
        if (idleNanos >= mostNanos) {
            return false;
        }
        if (isYieldLong) {
            yieldedInVain(System.nanoTime());
        }
        if (idleNanos < SPIN_NANOS) {
            Thread.onSpinWait();
            return true;
        }
        return yieldCore(System.nanoTime());
    }

    @SuppressWarnings("ThreadPriorityCheck") // a hint only; what is waited for is looked at again
    private boolean yieldCore(long start) {
        if (!isWorthwhile(start)) {
            return false;
        }
        if (Thread.currentThread().isVirtual()) {
            Thread.onSpinWait(); // its yield would only move it to another carrier
        } else {
            Thread.yield();
            yielded(System.nanoTime() - start);
        }
        return true;
    }
}
