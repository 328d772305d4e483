package org.gradwire.backend.netty;

import org.gradwire.spi.PendingCalls;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Chooses the thread that runs the loop of an agent: its poller, or a thread that polls while it
 * waits for a reply or for the next request.
 *
 * <p>With few calls in flight a waiting thread that polls saves two thread switches for each
 * message. With many, the poller runs the loop, since it writes more messages at a time than
 * threads that write one and wait. Large messages are read and written by the poller too, since a
 * waiting thread may stop polling in the middle of one. While other threads poll, the poller stands
 * by: it sleeps, and checks every 100 us whether they still do.
 */
final class PollerPolicy {
    private static final long STAND_BY_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    private static final int MANY_PENDING = 4;
    private static final float MANY_DELIVERED = 1.25f;
    private static final int MOST_COUNTED = 8;
    private static final int MEMORY = 8;

    /** Least size of a large message. */
    static final int LARGE_BYTES = 1024 * 1024;

    private final PendingCalls pending;
    private final Thread poller;
    private volatile float averageDelivered = 1; // at a time; written in the loop
    private volatile int transfers; // of large messages; written in the loop
    private volatile int count; // updates may be lost
    private volatile boolean isStandingBy;
    private int countSeen; // by the poller

    /**
     * Create the policy of a loop.
     *
     * @param poller thread of the agent
     */
    PollerPolicy(PendingCalls pending, Thread poller) {
        this.pending = pending;
        this.poller = poller;
    }

    /** Record that an iteration has delivered messages of peers. In the loop. */
    void delivered(int messages) {
        float before = averageDelivered;
        averageDelivered = before + (Math.min(messages, MOST_COUNTED) - before) / MEMORY;
    }

    /** Record that a large message begins to be read or written. In the loop. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only one thread is in the loop
    void beginTransfer() {
        transfers++;
        wakeIfStandingBy();
    }

    /** Record that a large message has been read or written, or is abandoned. In the loop. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only one thread is in the loop
    void endTransfer() {
        transfers--;
    }

    private boolean isUseful() {
        return transfers == 0
                && pending.size() <= MANY_PENDING
                && averageDelivered <= MANY_DELIVERED;
    }

    private void wakeIfStandingBy() {
        if (isStandingBy) {
            isStandingBy = false;
            LockSupport.unpark(poller);
        }
    }

    /** {@return whether the calling thread should run an iteration} */
    @SuppressWarnings("NonAtomicVolatileUpdate") // one of two polls at a time counts
    boolean mayPoll() {
        if (!isUseful()) {
            return false;
        }
        count++;
        return true;
    }

    /**
     * {@return whether the calling thread must write its messages itself, since the poller stands
     * by} With many calls in flight, the poller is woken instead.
     */
    boolean mustWrite() {
        if (isUseful()) {
            return isStandingBy;
        }
        wakeIfStandingBy();
        return false;
    }

    /** {@return whether another thread has polled since the last call} On the poller. */
    boolean isPolled() {
        int before = countSeen;
        countSeen = count;
        return countSeen != before;
    }

    /** Wait while other threads poll. On the poller. */
    void standBy() {
        isStandingBy = true;
        do {
            LockSupport.parkNanos(STAND_BY_NANOS);
        } while (isStandingBy && isPolled());
        isStandingBy = false;
    }

    /** Wait briefly, while another thread is in the loop. On the poller. */
    static void pause() {
        LockSupport.parkNanos(STAND_BY_NANOS);
    }
}
