package org.gradwire.spi;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * For how long a thread should poll before it sleeps, from how long the last waits were.
 *
 * <p>Polling saves the microseconds that waking up takes, up to 50 of them in a virtual machine, so
 * it pays where what is waited for comes soon and there is a core to spare. Where there is none, a
 * thread that yields to one that computes waits for a whole slice of time, milliseconds, which one
 * that is woken up does not: so when a yield was found to take long, threads sleep at once for a
 * while. One instance serves threads that wait for the same kind of thing.
 */
public final class PollingTime {
    private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(2);
    private static final int MOST_COUNTED = 4;
    private static final long CROWDED_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long SLEEPING_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int MEMORY = 8;

    private final long shortNanos;
    private final LongSupplier nanoTime;
    private final Runnable stepAside;
    private volatile long typicalNanos; // lost updates do no harm
    private volatile long crowdedNanos; // when a yield was found to have taken long

    /**
     * Create one that expects short waits, and cores for all.
     *
     * @param shortNanos waits of up to this are polled through
     */
    public PollingTime(long shortNanos) {
        this(shortNanos, System::nanoTime, Thread::yield);
    }

    /** Create one with a clock of its own, and a way to let others have the core. */
    PollingTime(long shortNanos, LongSupplier nanoTime, Runnable stepAside) {
        this.shortNanos = shortNanos;
        this.nanoTime = nanoTime;
        this.stepAside = stepAside;
        crowdedNanos = nanoTime.getAsLong() - SLEEPING_NANOS;
    }

    /** Tell how long a wait was, until what was waited for came. */
    public void waited(long nanos) {
        long before = typicalNanos;
        typicalNanos = before + (Math.min(nanos, MOST_COUNTED * shortNanos) - before) / MEMORY;
    }

    /**
     * Let a moment pass: spin at first, then yield.
     *
     * @param idleNanos for how long there was nothing to do
     * @param mostNanos after which a thread sleeps also where waits are short
     * @return whether to look for work once more; false: the thread should sleep
     */
    @SuppressWarnings("ThreadPriorityCheck") // a hint only; what is waited for is looked at again
    public boolean pause(long idleNanos, long mostNanos) {
        if (idleNanos >= mostNanos) {
            return false;
        }
        if (idleNanos < SPIN_NANOS) {
            Thread.onSpinWait();
            return true;
        }
        if (typicalNanos > shortNanos) {
            return false;
        }
        long now = nanoTime.getAsLong();
        if (now - crowdedNanos < SLEEPING_NANOS) {
            return false;
        }
        stepAside.run();
        long after = nanoTime.getAsLong();
        if (after - now > CROWDED_NANOS) {
            crowdedNanos = after;
        }
        return true;
    }
}
