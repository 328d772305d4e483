package org.gradwire.backend.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.nio.NioIoHandler;

import org.gradwire.spi.PendingCalls;
import org.gradwire.spi.PollingTime;

import java.lang.System.Logger.Level;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/**
 * The thread of an agent: reads and writes all its connections, runs what others ask it to, ends
 * calls whose time is up, and looks after the peers now and then. It spins for a moment before it
 * sleeps, for as long as that pays ({@link PollingTime}).
 */
final class Loop {
    private static final System.Logger LOG = System.getLogger(Loop.class.getPackageName());
    private static final int READ_BYTES = 64 * 1024;
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long MOST_SPIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long JOIN_MILLIS = 5_000;
    private static final long WAIT_SECONDS = 10;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ManualIoEventLoop events;
    private final Thread thread;
    private final PendingCalls pending;
    private final long intervalNanos;
    private final Runnable look;
    private final PollingTime polling = new PollingTime();
    private final ByteBuf readBuffer = Unpooled.directBuffer(READ_BYTES, READ_BYTES);
    private long lookNanos;

    /**
     * Create one that does not run yet.
     *
     * @param intervalNanos how often to look after the peers
     * @param look what to do then
     */
    Loop(String name, PendingCalls pending, long intervalNanos, Runnable look) {
        this.pending = pending;
        this.intervalNanos = intervalNanos;
        this.look = look;
        thread = Thread.ofPlatform().daemon().name(name).unstarted(this::run);
        events = new ManualIoEventLoop(thread, NioIoHandler.newFactory());
    }

    void start() {
        thread.start();
    }

    ManualIoEventLoop events() {
        return events;
    }

    /** {@return the buffer into which lanes read by turns} */
    ByteBuf readBuffer() {
        return readBuffer;
    }

    boolean isCurrent() {
        return Thread.currentThread().equals(thread);
    }

    /** Run a task soon, in order. After the end, do nothing. */
    void execute(Runnable task) {
        try {
            events.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.log(Level.DEBUG, "too late for a task", e);
        }
    }

    /** Run a task soon and wait for it, unless the loop has ended; at once on the loop itself. */
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
                long left = Math.min(deadline - System.nanoTime(), LOOK_NANOS);
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
        lookNanos = idleSince;
        while (!events.isTerminated()) {
            int done = events.runNow() + tend(System.nanoTime());
            long idle = System.nanoTime() - idleSince;
            if (done == 0 && !polling.pause(idle, MOST_SPIN_NANOS)) {
                done = events.run(sleepNanos());
            }
            if (done > 0) {
                long now = System.nanoTime();
                polling.waited(now - idleSince);
                idleSince = now;
            }
        }
        readBuffer.release();
    }

    private long sleepNanos() {
        long toLook = Math.max(1, lookNanos - System.nanoTime());
        return pending.size() > 0 ? Math.min(TICK_NANOS, toLook) : toLook;
    }

    private int tend(long now) {
        int ended = pending.expire(now);
        if (now - lookNanos >= 0) {
            lookNanos = now + intervalNanos;
            look.run();
        }
        return ended;
    }

    /** Run what was asked for, then end. Waits for that, unless the loop itself calls it. */
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
