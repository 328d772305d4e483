package org.gradwire.backend.tensorpipe;

import org.agrona.concurrent.IdleStrategy;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * How a media driver's thread waits.
 *
 * <p>In shared memory, messages pass without the driver; it only moves the limit up to which a
 * writer may write. So, while there is no network traffic, it sleeps, and writers whose limit comes
 * near ring its bell: it leaves the cores to the workers, and sleeps longer after a while in which
 * nothing was to be done. While there are any peers over UDP it waits as {@link NetworkWaiting}
 * says; without bells it sleeps longer and longer, up to a millisecond.
 */
final class DriverIdle implements IdleStrategy {
    private static final int SPINS = 50;
    private static final int YIELDS = 50;
    private static final long MIN_PAUSE_NANOS = TimeUnit.MICROSECONDS.toNanos(20);
    private static final long MAX_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long IDLE_SLEEP_NANOS = TimeUnit.MILLISECONDS.toNanos(30);
    private static final int SLEEPS_BEFORE_IDLE = 5;

    private final @Nullable Doorbell bell;
    private final @Nullable NetworkWaiting network;
    private volatile boolean hasNetwork;
    private int idleCycles;
    private long pauseNanos = MIN_PAUSE_NANOS;
    private boolean isArmed;
    private int sleepsInARow;

    /** Wait at no bell. */
    DriverIdle() {
        bell = null;
        network = null;
    }

    /** Wait at this bell, or so while there are peers over UDP. */
    DriverIdle(Doorbell bell, NetworkWaiting network) {
        this.bell = bell;
        this.network = network;
    }

    /** Say whether there are peers over UDP. For any thread. */
    void hasNetwork(boolean has) {
        hasNetwork = has;
    }

    @Override
    public void idle(int workCount) {
        if (workCount > 0) {
            idleCycles = 0;
            sleepsInARow = 0;
            pauseNanos = MIN_PAUSE_NANOS;
        }
        if (bell == null || network == null) {
            backOff(workCount);
        } else if (hasNetwork) {
            network.idle(workCount);
        } else {
            sleepAt(bell, workCount);
        }
    }

    /**
     * Arm the bell, let the driver look at everything once more, then sleep, unless it found work:
     * the driver takes one request in a turn, and nobody rings for those that wait in line.
     */
    private void sleepAt(Doorbell at, int workCount) {
        if (workCount > 0) {
            at.disarm();
            isArmed = false;
            return;
        }
        if (isArmed) {
            at.sleep(sleepsInARow < SLEEPS_BEFORE_IDLE ? SLEEP_NANOS : IDLE_SLEEP_NANOS);
            at.disarm();
            sleepsInARow++;
        } else {
            at.arm();
        }
        isArmed = !isArmed;
    }

    @SuppressWarnings("ThreadPriorityCheck") // a hint only
    private void backOff(int workCount) {
        if (workCount > 0) {
            return;
        }
        idleCycles++;
        if (idleCycles <= SPINS) {
            Thread.onSpinWait();
        } else if (idleCycles <= SPINS + YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(pauseNanos);
            pauseNanos = Math.min(MAX_PAUSE_NANOS, pauseNanos * 2);
        }
    }

    @Override
    public void idle() {
        idle(0);
    }

    @Override
    public void reset() {
        // nothing depends on who waits
    }
}
