package org.gradwire.spi;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Decides how long a thread polls before it sleeps, from the length of the last waits and the load
 * of the cores.
 *
 * <p>Polling saves the microseconds of a wake-up, so it pays if the wait is short and a core is
 * free. Without a free core, a thread that yields runs again after a time slice of milliseconds, a
 * woken thread sooner. So after a long yield threads spin for the shortest waits only, and do not
 * yield for a period that doubles whenever it proves too short. One instance serves threads that
 * wait for the same kind of event.
 */
public final class SpinPolicy {
    private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(5);
    private static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(600);
    private static final long SHORT_WITHOUT_CORE_NANOS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final long MOST_COUNTED_NANOS = 4 * SHORT_NANOS;
    private static final int MEMORY = 8;
    private static final long LONG_YIELD_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long LEAST_WITHOUT_YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MOST_WITHOUT_YIELD_NANOS = TimeUnit.MILLISECONDS.toNanos(64);

    private static final int SOON = 8;

    /** The time that a sleeping thread takes to wake, which is part of its wait. */
    private static final long WAKING_NANOS = TimeUnit.MICROSECONDS.toNanos(30);

    private static final int ALL = 1024;

    private final long mostNanos;

    // Lost updates of these fields are harmless.
    private volatile long typicalNanos;
    private volatile int inTime = ALL; // the share of waits that polling ends, of ALL
    private volatile boolean isYieldLong;
    private volatile long withoutYieldNanos;
    private volatile long yieldAgainNanos;

    private final LongSupplier clock;

    /** Create a policy that expects short waits and free cores. */
    public SpinPolicy() {
        this(SHORT_NANOS);
    }

    /**
     * Create a policy of threads that poll for less than the longest wait that polling pays for.
     * They sleep at once while most waits are longer than that, as polling would find nothing.
     *
     * @param mostNanos the time for which they poll
     */
    public SpinPolicy(long mostNanos) {
        this(mostNanos, System::nanoTime);
    }

    SpinPolicy(long mostNanos, LongSupplier clock) {
        this.mostNanos = mostNanos;
        this.clock = clock;
        this.yieldAgainNanos = clock.getAsLong();
    }

    /** Record the length of a wait. */
    public void waited(long nanos) {
        long before = typicalNanos;
        isYieldLong = false;
        typicalNanos = before + (Math.min(nanos, MOST_COUNTED_NANOS) - before) / MEMORY;
        int inTimeBefore = inTime;
        int now = nanos <= mostNanos + WAKING_NANOS ? ALL : 0;
        inTime = inTimeBefore + (now - inTimeBefore) / MEMORY;
    }

    /** Record how long an idle thread's yield took. */
    public void yielded(long nanos) {
        isYieldLong = nanos > LONG_YIELD_NANOS;
    }

    /** Record a long yield that did not end the wait. */
    private void yieldedInVain(long now) {
        isYieldLong = false;
        boolean isSoon = now - yieldAgainNanos < SOON * withoutYieldNanos;
        long without = isSoon ? 2 * withoutYieldNanos : 0;
        without = Math.clamp(without, LEAST_WITHOUT_YIELD_NANOS, MOST_WITHOUT_YIELD_NANOS);
        withoutYieldNanos = without;
        yieldAgainNanos = now + without;
    }

    /** {@return whether the wait probably ends before the thread should sleep} */
    public boolean isWorthwhile() {
        return isWorthwhile(clock.getAsLong());
    }

    private boolean isWorthwhile(long now) {
        boolean hasCore = now - yieldAgainNanos >= 0;
        return typicalNanos <= (hasCore ? SHORT_NANOS : SHORT_WITHOUT_CORE_NANOS)
                && (mostNanos >= SHORT_NANOS || inTime >= ALL / 2);
    }

    /**
     * Pause once: spin at first, then yield.
     *
     * @param idleNanos time since the last work
     * @param limitNanos time after which this thread sleeps even if waits are short
     * @return whether to poll once more; false: the thread should sleep
     */
    public boolean pause(long idleNanos, long limitNanos) {
        if (idleNanos >= limitNanos) {
            return false;
        }
        if (isYieldLong) {
            yieldedInVain(clock.getAsLong());
        }
        if (idleNanos < SPIN_NANOS) {
            Thread.onSpinWait();
            return true;
        }
        return yieldCore(clock.getAsLong());
    }

    @SuppressWarnings("ThreadPriorityCheck") // a hint only; the condition is checked again
    private boolean yieldCore(long start) {
        if (!isWorthwhile(start)) {
            return false;
        }
        if (Thread.currentThread().isVirtual()) {
            Thread.onSpinWait(); // yield would only move it to another carrier
        } else {
            Thread.yield();
            yielded(clock.getAsLong() - start);
        }
        return true;
    }
}
