package org.gradwire.runtime.inproc;

import org.gradwire.spi.PendingCalls;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The queue of arrived messages of an agent. The thread that holds {@link #polling}, which is the
 * poller or a waiting thread of the worker, dispatches them and times out the agent's calls. The
 * poller sleeps while the queue is empty and no call is in flight.
 */
final class Mailbox {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.inproc");
    private static final long TICK_NANOS = 1_000_000;
    private static final long IDLE_NANOS = 10_000_000;

    /** Idle polls before the poller sleeps, since a wake-up costs more. */
    private static final int IDLE_LOOKS = 10;

    private static final int BATCH = 64;

    private final PendingCalls pending;
    private final ConcurrentLinkedQueue<Runnable> mails = new ConcurrentLinkedQueue<>();
    private final ReentrantLock polling = new ReentrantLock();
    private volatile @Nullable Thread poller;
    private volatile boolean isParked;
    private volatile boolean isAsleep;
    private volatile boolean isClosed;

    /**
     * Create an empty mailbox without a poller.
     *
     * @param pending the agent's own calls
     */
    Mailbox(PendingCalls pending) {
        this.pending = pending;
    }

    void startPoller(String name) {
        poller = Thread.ofPlatform().daemon().name(name).start(this::run);
    }

    private void run() {
        int idle = 0;
        while (!isClosed) {
            if (poll() > 0) {
                idle = 0;
            } else {
                idle = pending.size() > 0 ? 0 : idle + 1;
                park(idle);
            }
        }
    }

    private void park(int idle) {
        isParked = true;
        if (mails.isEmpty()) {
            if (idle > IDLE_LOOKS) {
                sleep();
            } else {
                LockSupport.parkNanos(this, idle == 0 ? TICK_NANOS : IDLE_NANOS);
            }
        }
        isParked = false;
    }

    /** Sleep until a message arrives or a call begins, unless one just has. */
    private void sleep() {
        isAsleep = true;
        if (mails.isEmpty() && pending.size() == 0 && !isClosed) {
            LockSupport.park(this);
        }
        isAsleep = false;
    }

    /** Poll once; see {@link org.gradwire.spi.RpcAgent#poll}. */
    int poll() {
        if (!polling.tryLock()) {
            return 0;
        }
        try {
            int done = pending.expire(System.nanoTime());
            for (Runnable mail; done < BATCH && (mail = mails.poll()) != null; done++) {
                deliver(mail);
            }
            return done;
        } finally {
            polling.unlock();
        }
    }

    private static void deliver(Runnable mail) {
        try {
            mail.run();
        } catch (RuntimeException | Error e) {
            LOGGER.log(System.Logger.Level.ERROR, "a listener threw; it must not", e);
        }
    }

    void post(Runnable mail) {
        mails.add(mail);
        if (isParked) {
            LockSupport.unpark(poller);
        }
    }

    /** Handle the start of a call of the agent, which may time out. */
    void onCallBegun() {
        if (isAsleep) {
            LockSupport.unpark(poller);
        }
    }

    int size() {
        return mails.size();
    }

    /** End the poller. */
    void close() {
        isClosed = true;
        LockSupport.unpark(poller);
    }
}
