package org.gradwire.runtime;

import org.gradwire.rpc.RpcException;
import org.gradwire.runtime.config.RuntimeSettings;
import org.gradwire.runtime.group.ShutdownContext;
import org.gradwire.runtime.simulation.Simulation;
import org.gradwire.runtime.thread.WorkerThreads;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/** Shuts a worker down: in an orderly way with its group, or at once. Thread-safe. */
final class WorkerShutdown {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.rpc");

    private final WorkerContext context;
    private final WorkerState state;
    private final WorkerThreads threads;
    private final ShutdownContext parts;
    private final List<Runnable> steps;
    private final ReentrantLock leaving = new ReentrantLock();

    /**
     * Create the shutdown of a worker.
     *
     * @param parts the parts that an orderly shutdown ends
     * @param steps stop the other parts, in this order
     */
    WorkerShutdown(
            WorkerContext context,
            WorkerState state,
            WorkerThreads threads,
            ShutdownContext parts,
            List<Runnable> steps) {
        this.context = context;
        this.state = state;
        this.threads = threads;
        this.parts = parts;
        this.steps = new CopyOnWriteArrayList<>(steps);
    }

    /** Add a last step. */
    void addStep(Runnable step) {
        steps.add(step);
    }

    boolean isStopped() {
        return state.isStopped();
    }

    /**
     * Leave the group in an orderly way, then stop.
     *
     * @param timeout zero means no timeout
     * @throws RpcException if the group did not end in time; the worker has stopped
     */
    void shutdown(Duration timeout) {
        if (threads.insideCall()) {
            throw new RpcException(
                    "an orderly shutdown waits for all calls and their callbacks, and so for the one it was called from; call it from a thread of the program");
        }
        leaving.lock(); // a second call waits for the first one, then does nothing
        try {
            if (state.tryLeave()) {
                leaveAndStop(timeout);
            }
        } finally {
            leaving.unlock();
        }
    }

    private void leaveAndStop(Duration timeout) {
        RuntimeException failure = null;
        try {
            leave(timeout);
            ReadyFile.onLeft(context.settings());
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.ERROR, context.self() + ": " + e.getMessage());
            failure = e;
        }
        List<String> leaks = stop();
        if (failure != null) {
            throw failure;
        }
        report(leaks);
    }

    /**
     * Leave in real or simulated time; in simulated time, no worker waits for others: the
     * simulation runs until no event is left.
     */
    private void leave(Duration timeout) {
        Simulation simulation = context.simulation();
        if (simulation == null) {
            context.group().leave(parts, timeout);
        } else {
            simulation.runToRest(timeout.toNanos());
        }
    }

    void shutdownNow() {
        report(stop());
    }

    private void report(List<String> leaks) {
        if (leaks.isEmpty()) {
            return;
        }
        String text =
                "%s: %d references leaked:%n%s"
                        .formatted(context.self(), leaks.size(), String.join("\n", leaks));
        if (context.settings().flag(RuntimeSettings.FAIL_ON_RREF_LEAK)) {
            throw new RpcException(text);
        }
        LOGGER.log(System.Logger.Level.WARNING, text);
    }

    /** Stop the worker, if it has not stopped yet; {@return its leaked references} */
    List<String> stop() {
        return stop(WorkerState.NOT_INITIALIZED);
    }

    /**
     * Stop the worker, if it has not stopped yet, and return its leaked references.
     *
     * @param reason message of the failures of its later calls
     */
    List<String> stop(String reason) {
        if (!state.tryStop(reason)) {
            return List.of();
        }
        List<String> leaks = parts.rrefs().destroy();
        for (Runnable step : steps) {
            try {
                step.run();
            } catch (RuntimeException e) {
                LOGGER.log(System.Logger.Level.WARNING, "stopping a part of the worker failed", e);
            }
        }
        return leaks;
    }
}
