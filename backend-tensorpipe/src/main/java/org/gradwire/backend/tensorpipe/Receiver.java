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
 * The receiving half of an agent: one thread at a time has the <em>turn</em>, takes frames out of
 * the arriving sessions and runs the tasks that others left.
 *
 * <p>Mostly that is the poller; {@link #lend} lets another thread have it. All that is said to be
 * touched by who has the turn needs no other guard.
 */
final class Receiver {
    /** Result of {@link #turn}: another thread has it. */
    static final int BUSY = -1;

    private static final Logger LOG = System.getLogger(Receiver.class.getPackageName());
    private static final int FRAGMENT_LIMIT = 16;

    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final AtomicReference<@Nullable Thread> holder = new AtomicReference<>();
    private final AtomicInteger lent = new AtomicInteger();
    private final Runnable wakePoller;
    private Inbound[] sessions = {};
    private Runnable idleWork = () -> {};

    /** Create one whose poller is woken by what is given. */
    Receiver(Runnable wakePoller) {
        this.wakePoller = wakePoller;
    }

    /** Have something short done in each turn in which nothing arrives. Before the first turn. */
    void whenIdle(Runnable work) {
        idleWork = work;
    }

    /** Have something done by who has the next turn. For any thread. */
    void post(Runnable task) {
        tasks.add(task);
        wakePoller.run();
    }

    /** Take the turn, if no other thread has it, and return how much there was to do. */
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

    /** Take a turn in the poller's place, which keeps away while it sees lendings. */
    int lend() {
        lent.incrementAndGet();
        return Math.max(0, turn());
    }

    /** {@return a number that changes while threads lend themselves} */
    int lendings() {
        return lent.get();
    }

    /** {@return whether the current thread is in a callback of its own turn} */
    boolean isHeldHere() {
        return Thread.currentThread().equals(holder.get());
    }

    /** {@return whether the turn could be taken for good} */
    boolean trySeal() {
        return holder.compareAndSet(null, Thread.currentThread());
    }

    /** Do what there is to do. For who has the turn. */
    int work() {
        int count = tasks.isEmpty() ? 0 : runTasks();
        for (Inbound session : sessions) {
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

    /** Begin to listen to a session. For who has the turn. */
    void add(Inbound session) {
        var all = new ArrayList<>(List.of(sessions));
        all.add(session);
        sessions = all.toArray(Inbound[]::new);
    }

    /** Stop listening to a session, and return it. For who has the turn. */
    @Nullable Inbound remove(Image image) {
        Inbound removed = null;
        var all = new ArrayList<Inbound>();
        for (Inbound session : sessions) {
            if (session.image() == image) {
                removed = session;
            } else {
                all.add(session);
            }
        }
        sessions = all.toArray(Inbound[]::new);
        return removed;
    }

    /** {@return the sessions that arrive; for who has the turn} */
    List<Inbound> sessions() {
        return List.of(sessions);
    }
}
