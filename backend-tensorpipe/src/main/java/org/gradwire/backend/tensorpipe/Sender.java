package org.gradwire.backend.tensorpipe;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.Collection;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/**
 * The thread that writes the waiting frames of all send queues, and sleeps while there are none.
 */
final class Sender {
    private static final Logger LOG = System.getLogger(Sender.class.getPackageName());
    private static final int SPINS = 100;
    private static final int YIELDS = 20;
    private static final long BLOCKED_PAUSE_NANOS = 20_000;

    private final Supplier<Collection<SendQueue>> sendQueues;
    private final Thread thread;
    private volatile boolean isSignalled;
    private volatile boolean isStopped;
    private int blockedRounds;

    /**
     * Create a sender, not yet started.
     *
     * @param sendQueues the current queues
     */
    Sender(String name, Supplier<Collection<SendQueue>> sendQueues) {
        this.sendQueues = sendQueues;
        thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Report that a frame waits. For any thread. */
    void wake() {
        isSignalled = true;
        LockSupport.unpark(thread);
    }

    /** Stop, and wait for the end of the thread. */
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

    private SendQueue.Pumped round() {
        assert Thread.currentThread().equals(thread);
        SendQueue.Pumped result = SendQueue.Pumped.EMPTY;
        long now = System.nanoTime();
        for (SendQueue sendQueue : sendQueues.get()) {
            try {
                SendQueue.Pumped pumped = sendQueue.pump(now);
                result = pumped.compareTo(result) > 0 ? pumped : result;
            } catch (RuntimeException e) {
                LOG.log(Level.ERROR, "writing to a peer failed", e);
            }
        }
        return result;
    }

    /** Wait for room in a full log. */
    @SuppressWarnings("ThreadPriorityCheck") // a hint only; the log is tried again
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
