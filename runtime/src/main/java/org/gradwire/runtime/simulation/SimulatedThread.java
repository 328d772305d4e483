package org.gradwire.runtime.simulation;

import org.gradwire.rpc.RpcException;
import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * A thread that runs only while the simulation waits for it, until it ends or waits for an event of
 * the simulation.
 */
final class SimulatedThread {
    private static final ScopedValue<SimulatedThread> CURRENT = ScopedValue.newInstance();
    private static final long PATIENCE_SECONDS = 60;

    private final Simulation simulation;
    private final Thread thread;
    private final Semaphore turn = new Semaphore(0);
    private final Semaphore back = new Semaphore(0);
    private boolean started; // confined to the thread that steps

    SimulatedThread(Simulation simulation, String name, Runnable task) {
        this.simulation = simulation;
        this.thread =
                Thread.ofVirtual()
                        .name(name)
                        .unstarted(() -> {
                            try {
                                ScopedValue.where(CURRENT, this).run(task);
                            } finally {
                                back.release();
                            }
                        });
    }

    /** {@return the calling simulated thread; null on any other thread} */
    static @Nullable SimulatedThread current() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    /** Check that this is not a simulated thread, which would wait for itself. */
    static void requireNone(String what) {
        if (CURRENT.isBound()) {
            throw new IllegalStateException(
                    what + " is for threads of the program, not for functions and callbacks");
        }
    }

    /** Run the thread until it ends or waits. Called by the stepping thread. */
    void go() {
        if (started) {
            turn.release();
        } else {
            started = true;
            thread.start();
        }
        awaitBack();
    }

    private void awaitBack() {
        try {
            if (back.tryAcquire(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                return;
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            throw new RpcException("interrupted while %s made a step".formatted(simulation));
        }
        throw new RpcException(
                "%s is stuck: thread %s has not returned for %d s. It waits for something other than a call, such as a lock or a queue, which simulated threads must not%n%s"
                        .formatted(
                                simulation,
                                thread.getName(),
                                PATIENCE_SECONDS,
                                List.of(thread.getStackTrace())));
    }

    /** Wait for the next {@link #go}. Called on this thread. */
    void suspend() {
        back.release();
        turn.acquireUninterruptibly();
    }
}
