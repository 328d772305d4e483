package org.gradwire.backend.tensorpipe.driver;

import org.agrona.concurrent.IdleStrategy;
import org.gradwire.backend.tensorpipe.os.Doorbell;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The idle strategy of a media driver's thread.
 *
 * <p>In shared memory, messages bypass the driver, which only moves the limit up to which a writer
 * may write. Without network traffic it therefore sleeps, longer after a period without work, and
 * writers near their limit ring its doorbell: this leaves the cores to the workers. With peers over
 * UDP it waits as {@link DriverIdleStrategy}; without doorbells its pauses grow up to a
 * millisecond.
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
    private final @Nullable DriverIdleStrategy network;
    private volatile boolean hasNetwork;
    private int idleCycles;
    private long pauseNanos = MIN_PAUSE_NANOS;
    private boolean isArmed;
    private int sleepsInARow;

    /** Create a strategy without a doorbell. */
    DriverIdle() {
        bell = null;
        network = null;
    }

    /** Create a strategy with a doorbell, and with a strategy for peers over UDP. */
    DriverIdle(Doorbell bell, DriverIdleStrategy network) {
        this.bell = bell;
        this.network = network;
    }

    /** Set whether peers over UDP exist. For any thread. */
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
     * Arm the doorbell, make the driver poll everything once more, then sleep, unless it found
     * work: the driver processes one request per iteration, and queued requests do not ring.
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
        // no state to reset
    }
}
