package org.gradwire.spi;

import java.util.concurrent.TimeUnit;

/**
 * For how long a thread should poll before it sleeps, from how long the last waits were.
 *
 * <p>Polling saves the microseconds that waking up takes, so it pays where what is waited for comes
 * within microseconds. Where it does not, polling takes a core from threads that have work, and a
 * thread that yields to one that computes waits for a whole slice of time, milliseconds, which one
 * that is woken up does not. One instance serves threads that wait for the same kind of thing.
 */
public final class PollingTime {
    private static final long SPIN_NANOS = TimeUnit.MICROSECONDS.toNanos(2);
    private static final long SHORT_NANOS = TimeUnit.MICROSECONDS.toNanos(150);
    private static final long MOST_COUNTED_NANOS = 4 * SHORT_NANOS;
    private static final int MEMORY = 8;

    private volatile long typicalNanos; // lost updates do no harm

    /** Create one that expects short waits. */
    public PollingTime() {}

    /** Tell how long a wait was, until what was waited for came. */
    public void waited(long nanos) {
        long before = typicalNanos;
        typicalNanos = before + (Math.min(nanos, MOST_COUNTED_NANOS) - before) / MEMORY;
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
        if (typicalNanos > SHORT_NANOS) {
            return false;
        }
        Thread.yield();
        return true;
    }
}
