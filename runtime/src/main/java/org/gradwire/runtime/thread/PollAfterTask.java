package org.gradwire.runtime.thread;

import org.gradwire.spi.SpinPolicy;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;

/**
 * Lets a worker thread poll for the next request after it has finished one, and run it without a
 * wake-up of another thread. One thread polls at a time.
 *
 * <p>A peer that makes calls sequentially is served by one thread, without a thread switch.
 */
final class PollAfterTask {
    private static final long MAX_NANOS = TimeUnit.MICROSECONDS.toNanos(600);

    private final IntSupplier poll;
    private final Runnable endPolling;
    private final SpinPolicy polling = new SpinPolicy();
    private final AtomicReference<@Nullable Thread> poller = new AtomicReference<>();
    private @Nullable Runnable task; // the next one of the polling thread
    private volatile long idleSince; // 0: not idle. Lost updates are harmless

    /**
     * Create a poll loop.
     *
     * @param poll as {@link org.gradwire.spi.RpcAgent#poll}
     * @param endPolling as {@link org.gradwire.spi.RpcAgent#endPolling}
     */
    PollAfterTask(IntSupplier poll, Runnable endPolling) {
        this.poll = poll;
        this.endPolling = endPolling;
    }

    /** Pass a task to the polling thread, if it has no next task yet. */
    boolean offer(Runnable next) {
        long since = idleSince;
        if (since != 0) {
            idleSince = 0;
            polling.waited(System.nanoTime() - since);
        }
        if (!Thread.currentThread().equals(poller.get()) || task != null) {
            return false;
        }
        task = next;
        return true;
    }

    /** Poll briefly; {@return the next task of this thread, or null} */
    @Nullable Runnable next() {
        long start = System.nanoTime();
        idleSince = start;
        if (!polling.isWorthwhile() || !poller.compareAndSet(null, Thread.currentThread())) {
            return null;
        }
        try {
            poll(start);
            return task;
        } finally {
            task = null;
            poller.set(null);
            endPolling.run();
        }
    }

    private void poll(long start) {
        long spent = 0;
        while (spent < MAX_NANOS) {
            int done = poll.getAsInt();
            if (done < 0 || task != null) {
                return; // without a read of the clock: a peer waits for the task
            }
            long now = System.nanoTime() - start;
            if (done == 0 && !pause(spent, now)) {
                return;
            }
            spent = now;
        }
    }

    /** Pause after a poll without work: a virtual thread yields its core. */
    private boolean pause(long spent, long now) {
        boolean goesOn = polling.pause(spent, MAX_NANOS);
        polling.yielded(now - spent);
        return goesOn;
    }
}
