package org.gradwire.backend.tensorpipe;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/** The thread that writes what waits in the outboxes; it sleeps while nothing does. */
final class Sender {
    private static final Logger LOG = System.getLogger(Sender.class.getPackageName());
    private static final int SPINS = 100;
    private static final int YIELDS = 20;
    private static final long BLOCKED_PAUSE_NANOS = 20_000;

    private final Supplier<Collection<Outbox>> outboxes;
    private final Thread thread;
    private volatile boolean isSignalled;
    private volatile boolean isStopped;
    private int blockedRounds;

    /** Create one, not yet started, for the outboxes that there are at any time. */
    Sender(String name, Supplier<Collection<Outbox>> outboxes) {
        this.outboxes = outboxes;
        thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Say that something waits. */
    void wake() {
        isSignalled = true;
        LockSupport.unpark(thread);
    }

    /** End, and wait for that. */
    void stop(long millis) {
        isStopped = true;
        LockSupport.unpark(thread);
        if (thread.isAlive()) {
            try {
                thread.join(millis);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void run() {
        while (!isStopped) {
            isSignalled = false;
            switch (round()) {
                case MORE -> blockedRounds = 0;
                case BLOCKED -> pause();
                case EMPTY -> {
                    blockedRounds = 0;
                    if (!isSignalled && !isStopped) {
                        LockSupport.park(this);
                    }
                }
            }
        }
    }

    private Outbox.Pumped round() {
        Outbox.Pumped result = Outbox.Pumped.EMPTY;
        long now = System.nanoTime();
        for (Outbox outbox : outboxes.get()) {
            try {
                Outbox.Pumped pumped = outbox.pump(now);
                result = pumped.compareTo(result) > 0 ? pumped : result;
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "writing to a peer failed", e);
            }
        }
        return result;
    }

    /** Wait for a full log to be read. */
    @SuppressWarnings("ThreadPriorityCheck") // a hint only; the log is looked at again
    private void pause() {
        blockedRounds++;
        if (blockedRounds <= SPINS) {
            Thread.onSpinWait();
        } else if (blockedRounds <= SPINS + YIELDS) {
            Thread.yield();
        } else {
            LockSupport.parkNanos(BLOCKED_PAUSE_NANOS);
        }
    }
}
