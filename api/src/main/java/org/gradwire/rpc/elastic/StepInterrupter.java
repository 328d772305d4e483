package org.gradwire.rpc.elastic;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * Interrupts a step that still runs a time after its view of the members has changed. Thread-safe.
 */
final class StepInterrupter {
    private final Duration grace;
    private @Nullable Thread running; // guarded by this
    private long step; // guarded by this
    private long viewOfStep; // guarded by this
    private boolean hasInterrupted; // guarded by this

    StepInterrupter(Duration grace) {
        this.grace = grace;
    }

    /**
     * Run a step on this thread; an interrupt of this object does not outlast it.
     *
     * @param view number of the view in which it runs
     */
    boolean call(long view, BooleanSupplier body) {
        begin(view);
        try {
            return body.getAsBoolean();
        } finally {
            end();
        }
    }

    private synchronized void begin(long view) {
        step++;
        viewOfStep = view;
        running = Thread.currentThread();
        hasInterrupted = false;
    }

    private synchronized void end() {
        running = null;
        if (hasInterrupted) {
            boolean _ = Thread.interrupted();
        }
    }

    /**
     * Interrupt the step that runs now, unless it ends in time, or knows this view: the event of a
     * change may come after the step in the view that has it has begun.
     */
    synchronized void onView(long number) {
        long current = step;
        if (running != null && number > viewOfStep) {
            CompletableFuture.delayedExecutor(grace.toMillis(), TimeUnit.MILLISECONDS)
                    .execute(() -> interrupt(current));
        }
    }

    private synchronized void interrupt(long late) {
        if (running != null && step == late) {
            hasInterrupted = true;
            running.interrupt();
        }
    }
}
