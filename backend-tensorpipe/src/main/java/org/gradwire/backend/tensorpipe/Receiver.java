package org.gradwire.backend.tensorpipe;

import io.aeron.Image;

import org.jspecify.annotations.Nullable;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The <em>receive loop</em> of an agent: polls the inbound sessions and runs posted tasks.
 *
 * <p>One thread at a time is in the loop: mostly the poller, or a thread that waits for a reply and
 * calls {@link #lend}. State confined to the receive loop needs no other guard; its methods assert
 * {@link #isInLoop}.
 */
final class Receiver {
    /** Result of {@link #turn} when another thread is in the loop. */
    static final int BUSY = -1;

    private static final Logger LOG = System.getLogger(Receiver.class.getPackageName());
    private static final int FRAGMENT_LIMIT = 16;

    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Thread> holder = new AtomicReference<>();
    private final AtomicInteger lent = new AtomicInteger();
    private final Runnable wakePoller;
    private InboundSession[] sessions = {};
    private Runnable idleWork = () -> {};

    /**
     * Create a receive loop without sessions.
     *
     * @param wakePoller called after each {@link #post}
     */
    Receiver(Runnable wakePoller) {
        this.wakePoller = wakePoller;
    }

    /** Set short work for iterations in which no frame arrives; before the first iteration. */
    void whenIdle(Runnable work) {
        idleWork = work;
    }

    /** Run a task in the loop soon. For any thread. */
    void post(Runnable task) {
        tasks.add(task);
        wakePoller.run();
    }

    /**
     * Run one iteration, unless another thread is in the loop, and return the amount of work done.
     */
    int turn() {
        if (!holder.compareAndSet(null, Thread.currentThread())) {
            return BUSY;
        }
        try {
            return work();
        } finally {
            holder.set(null);
        }
    }

    /**
     * Run one iteration on a thread other than the poller, which does not enter while {@link
     * #lendings} changes.
     */
    int lend() {
        lent.incrementAndGet();
        return Math.max(0, turn());
    }

    /** {@return the number of calls of {@link #lend}} */
    int lendings() {
        return lent.get();
    }

    /** {@return whether the current thread is in the loop} */
    boolean isInLoop() {
        return Thread.currentThread().equals(holder.get());
    }

    /**
     * Enter the loop permanently, unless another thread is in it; {@return whether that succeeded}
     */
    boolean trySeal() {
        return holder.compareAndSet(null, Thread.currentThread());
    }

    /** Poll and run tasks once, and return the amount of work done. */
    int work() {
        assert isInLoop();
        int count = tasks.isEmpty() ? 0 : runTasks();
        for (InboundSession session : sessions) {
            count += session.poll(FRAGMENT_LIMIT);
        }
        if (count == 0) {
            idleWork.run();
        }
        return count;
    }

    private int runTasks() {
        int count = 0;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            count++;
            try {
                task.run();
            } catch (Exception e) { // Aeron throws checked ones too, where no descriptor is left
                LOG.log(Level.ERROR, "a task of the receiver failed", e);
            }
        }
        return count;
    }

    /** Begin to poll a session. */
    void add(InboundSession session) {
        assert isInLoop();
        var all = new ArrayList<>(List.of(sessions));
        all.add(session);
        sessions = all.toArray(InboundSession[]::new);
    }

    /** Stop polling a session; {@return the session, null if there is none} */
    @Nullable InboundSession remove(Image image) {
        assert isInLoop();
        InboundSession removed = null;
        var all = new ArrayList<InboundSession>();
        for (InboundSession session : sessions) {
            if (session.image() == image) {
                removed = session;
            } else {
                all.add(session);
            }
        }
        sessions = all.toArray(InboundSession[]::new);
        return removed;
    }

    List<InboundSession> sessions() {
        assert isInLoop();
        return List.of(sessions);
    }
}
