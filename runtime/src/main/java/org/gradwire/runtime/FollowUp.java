package org.gradwire.runtime;

import org.gradwire.spi.PollingTime;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;

/**
 * What a thread of a worker does after its task: it polls for a moment and runs what arrives, which
 * then needs no other thread to wake up for it. One thread does so at a time.
 *
 * <p>So a peer that makes one call after another is served by one thread, without a change of
 * threads in between.
 */
final class FollowUp {
    private static final long MOST_NANOS = TimeUnit.MICROSECONDS.toNanos(600);

    private final IntSupplier poll;
    private final Runnable endPolling;
    private final PollingTime polling = new PollingTime();
    private final AtomicReference<@Nullable Thread> follower = new AtomicReference<>();
    private @Nullable Runnable task; // the follower's
    private volatile long idleSince; // 0: something was there to do. Lost updates do no harm

    /**
     * Create one.
     *
     * @param poll as {@link org.gradwire.spi.RpcAgent#poll}
     * @param endPolling as {@link org.gradwire.spi.RpcAgent#endPolling}
     */
    FollowUp(IntSupplier poll, Runnable endPolling) {
        this.poll = poll;
        this.endPolling = endPolling;
    }

    /** Leave a task to the calling thread, if that polls after its own and has no other yet. */
    boolean offer(Runnable next) {
        long since = idleSince;
        if (since != 0) {
            idleSince = 0;
            polling.waited(System.nanoTime() - since);
        }
        if (!Thread.currentThread().equals(follower.get()) || task != null) {
            return false;
        }
        task = next;
        return true;
    }

    /** Poll for a moment; {@return the next task of the calling thread, or null} */
    @Nullable Runnable next() {
        long start = System.nanoTime();
        idleSince = start;
        if (!polling.isWorthwhile() || !follower.compareAndSet(null, Thread.currentThread())) {
            return null;
        }
        try {
            poll(start);
            return task;
        } finally {
            task = null;
            follower.set(null);
            endPolling.run();
        }
    }

    private void poll(long start) {
        long spent = 0;
        while (spent < MOST_NANOS) {
            int done = poll.getAsInt();
            if (done < 0 || task != null) {
                return; // without a look at the clock, as a peer waits for the task
            }
            long now = System.nanoTime() - start;
            if (done == 0 && !pause(spent, now)) {
                return;
            }
            spent = now;
        }
    }

    /** What an agent does that had nothing to do on a virtual thread is to yield its core. */
    private boolean pause(long spent, long now) {
        boolean goesOn = polling.pause(spent, MOST_NANOS);
        polling.yielded(now - spent);
        return goesOn;
    }
}
