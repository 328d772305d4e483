package org.gradwire.backend.tensorpipe.driver;

import org.gradwire.backend.tensorpipe.os.Doorbell;
import org.gradwire.spi.SpinPolicy;

import java.util.concurrent.TimeUnit;

/**
 * The idle strategy of a media driver with peers over UDP: it polls briefly, then sleeps until a
 * socket is readable or its doorbell rings.
 *
 * <p>Aeron's timed work, such as requests for lost frames, waits for the end of a sleep, so the
 * first sleeps after traffic are short.
 *
 * <p>The doorbell is a futex, which cannot be awaited together with sockets: a listener thread
 * awaits it and wakes the driver's thread. This delays only frames sent after a pause; arriving
 * datagrams wake the driver directly, and the reply finds it awake.
 */
final class DriverIdleStrategy implements AutoCloseable {
    private static final long AWAKE_NANOS = 50_000;
    private static final long SHORT_SLEEP_MILLIS = 1;
    private static final long SLEEP_MILLIS = 10;
    private static final int SHORT_SLEEPS = 5;
    private static final long LISTEN_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * Iterations without work between the arming of the doorbell and the sleep. Aeron sees the
     * progress of a reader at the end of one iteration, does not count it as work, and reports it
     * to the writer in the next one.
     */
    private static final int LOOKS_WHEN_ARMED = 2;

    private final Doorbell bell;
    private final DriverSockets sockets;
    private final SpinPolicy polling = new SpinPolicy();
    private final Thread listener;
    private volatile boolean isClosed;
    private int ringsHeard; // of the listener, since its start
    private long lastWorkNanos = System.nanoTime();
    private boolean isArmed;
    private int looks; // since the doorbell was armed
    private int sleepsInARow;

    DriverIdleStrategy(Doorbell bell, DriverSockets sockets) {
        this.bell = bell;
        this.sockets = sockets;
        ringsHeard = bell.rings();
        listener =
                Thread.ofPlatform().daemon().name("gradwire-driver-bell").unstarted(this::listen);
    }

    /** Start the listener thread. */
    void start() {
        listener.start();
    }

    private void listen() {
        while (!isClosed) {
            bell.awaitRing(ringsHeard, LISTEN_NANOS);
            int now = bell.rings();
            if (now != ringsHeard) {
                ringsHeard = now;
                sockets.wake();
            }
        }
    }

    /** Wait, if the last iteration had no work. For the driver's thread. */
    void idle(int workCount) {
        long now = System.nanoTime();
        if (workCount > 0) {
            disarm();
            polling.waited(now - lastWorkNanos);
            lastWorkNanos = now;
            sleepsInARow = 0;
        } else if (isArmed) {
            if (++looks == LOOKS_WHEN_ARMED) {
                sleep();
            }
        } else if (!polling.pause(now - lastWorkNanos, AWAKE_NANOS)) {
            bell.armBesideSockets(); // then poll everything again
            isArmed = true;
            looks = 0;
        }
    }

    private void sleep() {
        sockets.sleep(sleepsInARow < SHORT_SLEEPS ? SHORT_SLEEP_MILLIS : SLEEP_MILLIS);
        sleepsInARow++;
        disarm();
    }

    private void disarm() {
        if (isArmed) {
            isArmed = false;
            bell.disarm();
        }
    }

    /** Stop the listener thread. */
    @Override
    public void close() {
        isClosed = true;
        bell.endListening();
    }
}
