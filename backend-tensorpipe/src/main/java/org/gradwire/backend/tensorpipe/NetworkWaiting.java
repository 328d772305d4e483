package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.PollingTime;

import java.util.concurrent.TimeUnit;

/**
 * How a media driver's thread waits while there are peers over UDP: it polls for a moment, then
 * sleeps beside its sockets, where also its bell is heard.
 *
 * <p>What Aeron does by the clock (to ask for what was lost, say) waits for the end of a sleep. So
 * the first ones after some traffic are short.
 *
 * <p>The bell is a futex, which cannot be waited for together with sockets: a thread of its own
 * hears it and wakes the driver's. That costs a moment, but only what is sent after a pause; what
 * is received wakes the driver directly, and the answer finds it awake.
 */
final class NetworkWaiting implements AutoCloseable {
    private static final long AWAKE_NANOS = 50_000;
    private static final long SHORT_SLEEP_MILLIS = 1;
    private static final long SLEEP_MILLIS = 10;
    private static final int SHORT_SLEEPS = 5;
    private static final long LISTEN_NANOS = TimeUnit.SECONDS.toNanos(10);

    /**
     * Turns in vain between arming the bell and sleeping. What a worker has read is seen at the end
     * of one turn, is no work for Aeron, and makes it tell the writer in the next one.
     */
    private static final int LOOKS_WHEN_ARMED = 2;

    private final Doorbell bell;
    private final DriverSockets sockets;
    private final PollingTime polling = new PollingTime();
    private final Thread listener;
    private volatile boolean isClosed;
    private int ringsHeard; // the listener's, from its start
    private long lastWorkNanos = System.nanoTime();
    private boolean isArmed;
    private int looks; // since it was armed
    private int sleepsInARow;

    NetworkWaiting(Doorbell bell, DriverSockets sockets) {
        this.bell = bell;
        this.sockets = sockets;
        ringsHeard = bell.rings();
        listener =
                Thread.ofPlatform().daemon().name("gradwire-driver-bell").unstarted(this::listen);
    }

    /** Begin to hear the bell. */
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

    /** Wait, if there was no work in the turn before. For the driver's thread. */
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
            bell.armBesideSockets(); // and look at everything again
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

    /** Hear the bell no more. */
    @Override
    public void close() {
        isClosed = true;
        bell.endListening();
    }
}
