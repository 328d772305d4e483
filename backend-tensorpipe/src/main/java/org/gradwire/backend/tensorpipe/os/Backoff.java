package org.gradwire.backend.tensorpipe.os;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Pauses between polls that grow with the wait. If many workers start at once on few cores, waiting
 * workers must not take the core from the worker for which they wait.
 */
public final class Backoff {
    private static final long SHORTEST_NANOS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final long LONGEST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final int SHARE = 20;

    private Backoff() {}

    /** Pause for a twentieth of the time since the wait began, 0.2 to 50 ms. */
    public static void pause(long startNanos) {
        LockSupport.parkNanos(length(startNanos));
    }

    /** {@return the length of the pause for a wait that began at a time} */
    public static long length(long startNanos) {
        long waited = System.nanoTime() - startNanos;
        return Math.clamp(waited / SHARE, SHORTEST_NANOS, LONGEST_NANOS);
    }
}
