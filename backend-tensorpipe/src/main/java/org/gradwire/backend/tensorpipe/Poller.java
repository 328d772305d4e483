package org.gradwire.backend.tensorpipe;

import org.gradwire.backend.tensorpipe.config.TensorPipeOptions;
import org.gradwire.backend.tensorpipe.os.Backoff;
import org.gradwire.backend.tensorpipe.os.Doorbell;
import org.gradwire.backend.tensorpipe.os.Futex;
import org.gradwire.spi.SpinPolicy;
import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread that runs the receive loop, unless another thread runs it, and the periodic duties.
 *
 * <p>With {@code idle=adaptive} it spins briefly after each message, since the next one of a busy
 * peer arrives within microseconds, then sleeps until its {@link Doorbell} rings. Peers that cannot
 * ring (over UDP, for example) are polled every millisecond; while peers are being connected, at
 * growing intervals ({@link Backoff}).
 */
final class Poller {
    private static final Logger LOG = System.getLogger(Poller.class.getPackageName());
    private static final long CHORES_EVERY_NANOS = 1_000_000;
    private static final long AWAKE_NANOS = 50_000;
    private static final long MIN_PAUSE_NANOS = 50_000;
    private static final long MAX_PAUSE_NANOS = 1_000_000;

    // Bound of the delay of an event without a ring. Each wake-up costs: with 10 ms, 64 callees on
    // one core that are called in sequence, each once in 11 ms, would wake twice per call.
    private static final long MAX_SLEEP_NANOS = 30_000_000;

    // Bound of the delay of a deadline if its call began shortly before.
    private static final long MAX_SLEEP_BEFORE_DEADLINE_NANOS = 10_000_000;
    private static final long SHORTLY_NANOS = 50_000_000;

    private static final long WHILE_LENT_NANOS = 100_000;
    private static final int SPINS = 40; // some microseconds

    /** The poller's duties besides the receive loop. */
    interface Duties {

        /** {@return whether to continue} */
        boolean isRunning();

        /** Perform the due duties; called about every millisecond. */
        void doChores(long nowNanos);

        /** {@return whether every possible event rings the doorbell} */
        boolean isEveryoneRinging();

        /** {@return whether calls are pending, which may have deadlines} */
        boolean isAwaitingReplies();

        /** {@return whether a peer is being connected} */
        boolean isConnecting();

        /** End the agent after an error of the JVM. */
        void onFatal(Error cause);

        /** Close the agent. Called last. */
        void finish();
    }

    private final Receiver receiver;
    private final Duties duties;
    private final TensorPipeOptions.IdleMode mode;
    private final @Nullable Doorbell bell;
    private final Thread thread;
    private final SpinPolicy polling = new SpinPolicy(AWAKE_NANOS);
    private long lastWorkNanos;
    private long lastChoresNanos;
    private long pauseNanos = MIN_PAUSE_NANOS;
    private int lendingsSeen;
    private int emptyTurns; // of other threads since the last message; updates may be lost
    private boolean isConnecting;
    private long connectingSinceNanos;

    /** Create a poller, not yet started. */
    Poller(
            String name,
            Receiver receiver,
            Duties duties,
            TensorPipeOptions.IdleMode mode,
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

    /** {@return whether the current thread is the poller} */
    boolean isPollerThread() {
        return Thread.currentThread().equals(thread);
    }

    /** Wake the poller. For any thread. */
    void wake() {
        if (bell != null) {
            bell.ring();
        } else {
            LockSupport.unpark(thread);
        }
    }

    /**
     * Run the receive loop once on the calling thread, and return the amount of work done. Until
     * {@link #endLending} the poller does not run the loop and is not woken. For any thread.
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
            Futex.yieldCore(); // the thread in the loop, or the peer, may need this core
        }
        return work;
    }

    /** Run the receive loop a last time, then return it to the poller. */
    void endLending() {
        if (bell == null) {
            LockSupport.unpark(thread);
        } else {
            bell.endLending();
            receiver.turn();
        }
    }

    /**
     * Run the receive loop a last time before a moment in which no thread runs it. Only urgent
     * messages wake the poller then; it returns to the loop by itself after a millisecond, or at
     * the end of its sleep.
     */
    void linger() {
        if (bell == null) {
            LockSupport.unpark(thread);
        } else {
            bell.linger();
            receiver.turn();
        }
    }

    private void run() {
        try {
            lastWorkNanos = System.nanoTime();
            cycleWhileRunning();
        } finally {
            duties.finish(); // even if an error could not be logged
        }
    }

    private void cycleWhileRunning() {
        while (duties.isRunning()) {
            try {
                cycle();
            } catch (Exception e) { // Aeron throws checked ones too, where no descriptor is left
                LOG.log(Level.ERROR, "the poller continues after", e);
            } catch (Error e) {
                duties.onFatal(e);
            }
        }
    }

    private void cycle() {
        assert isPollerThread();
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
            lastWorkNanos = now; // spin briefly when the other thread stops
        } else if (bell != null && bell.isLent()) {
            sleepWhileLent(bell);
        } else {
            waitForWork(now - lastWorkNanos);
        }
    }

    /** {@return without a doorbell: whether another thread has run the loop since the last call} */
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
        isConnecting &= !isRung; // the next peer begins with short pauses
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
        return Math.max(pause, Backoff.length(connectingSinceNanos));
    }
}
