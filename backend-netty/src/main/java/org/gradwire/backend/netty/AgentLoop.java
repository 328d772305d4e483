package org.gradwire.backend.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;

import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.SpinPolicy;

import java.lang.System.Logger.Level;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.IntSupplier;

/**
 * The event loop of an agent: reads and writes all connections, runs submitted tasks, fails calls
 * at their deadlines, and runs one task periodically.
 *
 * <p>A thread that waits for a reply runs the loop itself ({@link #poll}), which saves two thread
 * switches. Otherwise the poller does, the thread of the agent; before it sleeps it spins, as long
 * as {@link SpinPolicy} expects that to pay.
 *
 * <p>Thread-safe, except {@link #readBuffer}, which is confined to the loop.
 */
final class AgentLoop {
    private static final System.Logger LOG = System.getLogger(AgentLoop.class.getPackageName());
    private static final int READ_BYTES = 64 * 1024;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MOST_SPIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long JOIN_MILLIS = 5_000;
    private static final long WAIT_SECONDS = 10;
    private static final long CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final SharedEventLoop events;
    private final Thread thread;
    private final PendingCalls pending;
    private final IntSupplier delivered;
    private final long intervalNanos;
    private final Runnable periodicTask;
    private final PollerPolicy policy;
    private final SpinPolicy spin = new SpinPolicy();
    private final ByteBuf readBuffer = Unpooled.directBuffer(READ_BYTES, READ_BYTES);
    private volatile long nextRunNanos = System.nanoTime(); // written in the loop
    private long nextTickNanos = nextRunNanos; // these two confined to the loop
    private int deliveredSeen;

    /**
     * Create a loop that does not run yet.
     *
     * @param delivered counts the messages of peers that were delivered; called in the loop
     * @param intervalNanos time between two runs of the periodic task
     */
    AgentLoop(
            String name,
            PendingCalls pending,
            IntSupplier delivered,
            long intervalNanos,
            Runnable periodicTask) {
        this.pending = pending;
        this.delivered = delivered;
        this.intervalNanos = intervalNanos;
        this.periodicTask = periodicTask;
        thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
        policy = new PollerPolicy(pending, thread);
        events = new SharedEventLoop(TransportChoice.CHOSEN.handlers(), this::runDuties);
    }

    void start() {
        thread.start();
    }

    PollerPolicy policy() {
        return policy;
    }

    SharedEventLoop events() {
        return events;
    }

    /** {@return the buffer that all connections of the loop share for reads} */
    ByteBuf readBuffer() {
        return readBuffer;
    }

    boolean isCurrent() {
        return events.inEventLoop();
    }

    /**
     * Run one iteration on the calling thread, unless another thread is in the loop.
     *
     * @return amount of work done; negative if the poller should do it, see {@link PollerPolicy}
     */
    int poll() {
        return policy.mayPoll() ? Math.max(0, events.tryRun(0)) : -1;
    }

    /** Write queued frames on the calling thread if the poller stands by. */
    void writeIfPollerStandsBy() {
        if (policy.mustWrite()) {
            events.tryRunTasks();
        }
    }

    /** Run a task later, in the order of the calls; after the end of the loop, do nothing. */
    void execute(Runnable task) {
        try {
            events.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "the loop has ended; a task was not run", e);
        }
    }

    /**
     * Run a task and wait until it has ended, the loop has ended, or ten seconds are over. On the
     * loop itself, run it immediately.
     */
    void runAndWait(Runnable task) {
        if (isCurrent()) {
            task.run();
            return;
        }
        var done = new CountDownLatch(1);
        execute(() -> {
            try {
                task.run();
            } finally {
                done.countDown();
            }
        });
        awaitQuietly(done);
    }

    private void awaitQuietly(CountDownLatch done) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(WAIT_SECONDS);
        boolean isInterrupted = false;
        boolean isWaiting = true;
        while (isWaiting && !events.isTerminated()) {
            try {
                long left = Math.min(deadline - System.nanoTime(), CHECK_NANOS);
                isWaiting = !done.await(left, TimeUnit.NANOSECONDS) && left > 0;
            } catch (InterruptedException _) {
                isInterrupted = true;
            }
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void run() {
        long idleSince = System.nanoTime();
        while (!events.isTerminated()) {
            if (policy.isPolled()) {
                policy.standBy();
                idleSince = System.nanoTime();
            }
            int done = events.tryRun(0);
            if (done <= 0 && !spin.pause(System.nanoTime() - idleSince, MOST_SPIN_NANOS)) {
                done = sleep();
            }
            if (done > 0) {
                long now = System.nanoTime();
                spin.waited(now - idleSince);
                idleSince = now;
            }
        }
        readBuffer.release();
    }

    private int sleep() {
        int done = events.tryRun(sleepNanos());
        if (done == SharedEventLoop.BUSY) {
            PollerPolicy.pause();
        }
        return done;
    }

    private long sleepNanos() {
        long toNextRun = Math.max(1, nextRunNanos - System.nanoTime());
        return pending.size() > 0 ? Math.min(TICK_NANOS, toNextRun) : toNextRun;
    }

    private void countDelivered() {
        int before = deliveredSeen;
        deliveredSeen = delivered.getAsInt();
        if (deliveredSeen != before) {
            policy.delivered(deliveredSeen - before);
        }
    }

    private int runDuties() {
        countDelivered();
        long now = System.nanoTime();
        if (now - nextTickNanos < 0) {
            return 0;
        }
        nextTickNanos = now + TICK_NANOS;
        int ended = pending.expire(now);
        if (now - nextRunNanos >= 0) {
            nextRunNanos = now + intervalNanos;
            periodicTask.run();
        }
        return ended;
    }

    /**
     * Run the submitted tasks, then end the loop. Waits up to five seconds for the end, unless the
     * loop itself calls it.
     */
    void close() {
        var _ = events.shutdownGracefully(0, 0, TimeUnit.MILLISECONDS);
        if (isCurrent() || !thread.isAlive()) {
            return;
        }
        boolean isInterrupted = Thread.interrupted();
        try {
            thread.join(JOIN_MILLIS);
        } catch (InterruptedException _) {
            isInterrupted = true;
        }
        if (isInterrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
