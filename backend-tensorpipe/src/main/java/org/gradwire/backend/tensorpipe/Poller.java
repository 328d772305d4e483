package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.PollingTime;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that receives, when no other has the receiver's turn, and that looks after all that
 * depends on time.
 *
 * <p>Waiting, adaptively: it spins for a moment, for the next message of a busy peer comes within
 * microseconds; then it sleeps until its {@link Doorbell} rings. A peer that cannot ring, over UDP
 * say, is looked at every millisecond instead; while there are peers to be reached, ever more
 * seldom.
 */
final class Poller {
    private static final Logger LOG = System.getLogger(Poller.class.getPackageName());
    private static final long CHORES_EVERY_NANOS = 1_000_000;
    private static final long AWAKE_NANOS = 50_000;
    private static final long MIN_PAUSE_NANOS = 50_000;
    private static final long MAX_PAUSE_NANOS = 1_000_000;

    // What nobody rings for may be late by this. Each such wake is felt: 64 callees on one core
    // that are called in turn, each once in 11 ms, would be awake twice for each call with 10.
    private static final long MAX_SLEEP_NANOS = 30_000_000;

    // The deadline of a call that has begun shortly before, by this.
    private static final long MAX_SLEEP_BEFORE_DEADLINE_NANOS = 10_000_000;
    private static final long SHORTLY_NANOS = 50_000_000;

    private static final long WHILE_LENT_NANOS = 100_000;
    private static final int SPINS = 40; // some microseconds

    /** What the poller works for. */
    interface Duties {

        /** {@return whether to go on} */
        boolean isRunning();

        /** Do what is due at this time. */
        void doChores(long nowNanos);

        /** {@return whether all that may arrive rings the bell} */
        boolean isEveryoneRinging();

        /** {@return whether calls are under way, which may have deadlines} */
        boolean isAwaitingReplies();

        /** {@return whether a peer is yet to be reached} */
        boolean isConnecting();

        /** Go on no more: the JVM is unwell. */
        void onFatal(Error cause);

        /** Close everything. Called once, at the end. */
        void finish();
    }

    private final Receiver receiver;
    private final Duties duties;
    private final Options.IdleMode mode;
    private final @Nullable Doorbell bell;
    private final Thread thread;
    private final PollingTime polling = new PollingTime();
    private long lastWorkNanos;
    private long lastChoresNanos;
    private long pauseNanos = MIN_PAUSE_NANOS;
    private int lendingsSeen;
    private int emptyTurns; // of threads that it was lent to, since the last message; may be lost
    private boolean isConnecting;
    private long connectingSinceNanos;

    /** Create one, not yet started. */
    Poller(
            String name,
            Receiver receiver,
            Duties duties,
            Options.IdleMode mode,
            @Nullable Doorbell bell) {
        this.receiver = receiver;
        this.duties = duties;
        this.mode = mode;
        this.bell = bell;
        thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** {@return whether the current thread is this poller} */
    boolean isHere() {
        return Thread.currentThread().equals(thread);
    }

    /** End its sleep. */
    void wake() {
        if (bell != null) {
            bell.ring();
        } else {
            LockSupport.unpark(thread);
        }
    }

    /**
     * Let the calling thread take a turn in the poller's place, and return how much there was to
     * do. Until {@link #endLending} the poller keeps away and nobody wakes it.
     */
    int lend() {
        if (bell == null) {
            return receiver.lend();
        }
        bell.lend();
        int work = receiver.lend();
        if (work != 0) {
            emptyTurns = 0;
        } else if (++emptyTurns > SPINS && Thread.currentThread().isVirtual()) {
            LibC.yieldCore(); // who has the turn, or what is waited for, may want this core
        }
        return work;
    }

    /**
     * The calling thread takes turns no more: what comes from now on is the poller's, what has come
     * is taken here.
     */
    void endLending() {
        if (bell == null) {
            LockSupport.unpark(thread);
        } else {
            bell.endLending();
            receiver.turn();
        }
    }

    private void run() {
        try {
            lastWorkNanos = System.nanoTime();
            cycleWhileRunning();
        } finally {
            duties.finish(); // also when an error could not even be logged
        }
    }

    private void cycleWhileRunning() {
        while (duties.isRunning()) {
            try {
                cycle();
            } catch (Exception e) { // Aeron throws checked ones too, where no descriptor is left
                LOG.log(Level.ERROR, "the poller goes on after", e);
            } catch (Error e) {
                duties.onFatal(e);
            }
        }
    }

    private void cycle() {
        int work = receiver.turn();
        long now = System.nanoTime();
        if (now - lastChoresNanos >= CHORES_EVERY_NANOS) {
            lastChoresNanos = now;
            duties.doChores(now);
        }
        if (work > 0) {
            polling.waited(now - lastWorkNanos);
            lastWorkNanos = now;
            pauseNanos = MIN_PAUSE_NANOS;
        } else if (isLent()) {
            LockSupport.parkNanos(WHILE_LENT_NANOS);
            lastWorkNanos = now; // be awake for a moment when the lending ends
        } else if (bell != null && bell.isLent()) {
            sleepWhileLent(bell);
        } else {
            waitForWork(now - lastWorkNanos);
        }
    }

    /** Without a bell: whether another thread has taken turns since this was last asked. */
    private boolean isLent() {
        if (bell != null) {
            return false;
        }
        int lendings = receiver.lendings();
        boolean isNew = lendings != lendingsSeen;
        lendingsSeen = lendings;
        return isNew;
    }

    private void sleepWhileLent(Doorbell lentBell) {
        int before = receiver.lendings();
        lentBell.sleepWhileLent(CHORES_EVERY_NANOS);
        if (receiver.lendings() == before) {
            lentBell.takeOver();
        }
    }

    private void waitForWork(long idleNanos) {
        switch (mode) {
            case SPIN -> Thread.onSpinWait();
            case PARK -> sleep(idleNanos);
            case ADAPTIVE -> {
                if (!polling.pause(idleNanos, AWAKE_NANOS)) {
                    sleep(idleNanos);
                }
            }
        }
    }

    private void sleep(long idleNanos) {
        boolean isRung = duties.isEveryoneRinging();
        isConnecting &= !isRung; // the next to be reached is waited for anew, briefly at first
        if (bell == null) {
            LockSupport.parkNanos(nextPause());
            return;
        }
        bell.arm();
        if (receiver.turn() != 0 || !duties.isRunning()) {
            lastWorkNanos = System.nanoTime();
        } else {
            bell.sleep(isRung ? rungSleep(idleNanos) : nextPause());
        }
        bell.disarm();
    }

    private long rungSleep(long idleNanos) {
        boolean isSoonDue = idleNanos < SHORTLY_NANOS && duties.isAwaitingReplies();
        return isSoonDue ? MAX_SLEEP_BEFORE_DEADLINE_NANOS : MAX_SLEEP_NANOS;
    }

    private long nextPause() {
        long pause = pauseNanos;
        pauseNanos = Math.min(MAX_PAUSE_NANOS, pause * 2);
        if (!duties.isConnecting()) {
            isConnecting = false;
            return pause;
        }
        if (!isConnecting) {
            isConnecting = true;
            connectingSinceNanos = System.nanoTime();
        }
        return Math.max(pause, Patience.length(connectingSinceNanos));
    }
}
