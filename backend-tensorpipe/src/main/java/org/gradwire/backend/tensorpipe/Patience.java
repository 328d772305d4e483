package org.gradwire.backend.tensorpipe;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How to wait for what can only be looked at: the longer it takes, the more seldom. Where many
 * workers start at a time on few cores, those that wait must not keep the one they wait for from
 * starting.
 */
final class Patience {
    private static final long SHORTEST_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int SHARE = 20;

    private Patience() {}

    /** Pause for a twentieth of the time since the wait began, 0.2 to 50 ms. */
    static void pause(long startNanos) {
        LockSupport.parkNanos(length(startNanos));
    }

    /** {@return how long to pause when the wait began then} */
    static long length(long startNanos) {
        long waited = System.nanoTime() - startNanos;
        return Math.clamp(waited / SHARE, SHORTEST_NANOS, LONGEST_NANOS);
    }
}
