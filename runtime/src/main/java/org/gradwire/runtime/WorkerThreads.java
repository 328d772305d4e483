package org.gradwire.runtime;

import org.gradwire.profiler.ProfilerState;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.future.FutureHost;
import org.gradwire.runtime.simulation.Simulation;
import org.gradwire.spi.PollingTime;
import org.jspecify.annotations.Nullable;

import java.util.concurrent.Executor;

/**
 * The threads of a worker: virtual ones, on which {@link org.gradwire.rpc.Rpc#current} is the
 * worker; and how threads that wait make themselves useful.
 */
final class WorkerThreads implements FutureHost, Executor {
    private static final ScopedValue<RpcWorker> CURRENT = ScopedValue.newInstance();
    private static final ScopedValue<RpcWorker> CALLING_BACK = ScopedValue.newInstance();

    private final RpcWorker worker;
    private final String name;
    private final RunningCalls running;
    private final ActiveCalls outgoing;
    private final PollingTime polling = new PollingTime();
    private final FollowUp followUp;
    private final @Nullable Simulation simulation;

    /** Waits like the worker's threads, but tells listeners and callbacks where the future ends. */
    private final FutureHost inline =
            new FutureHost() {
                @Override
                public int poll() {
                    return WorkerThreads.this.poll();
                }

                @Override
                public boolean pause(long idleNanos, long mostNanos) {
                    return polling.pause(idleNanos, mostNanos);
                }

                @Override
                public void waited(long nanos) {
                    polling.waited(nanos);
                }

                @Override
                public void endPolling() {
                    worker.endPolling();
                }

                @Override
                public Executor callbacks() {
                    return Runnable::run;
                }

                @Override
                public @Nullable Simulation simulation() {
                    return simulation;
                }

                @Override
                public void beginWait() {
                    WorkerThreads.this.beginWait();
                }

                @Override
                public void endWait() {
                    running.endWait();
                }
            };

    WorkerThreads(
            RpcWorker worker,
            String workerName,
            int maxRunningCalls,
            ActiveCalls outgoing,
            @Nullable Simulation simulation) {
        this.worker = worker;
        this.name = "gradwire-" + workerName;
        this.outgoing = outgoing;
        this.simulation = simulation;
        this.running = new RunningCalls(this, maxRunningCalls);
        this.followUp = new FollowUp(worker::pollAgent, worker::endPolling);
    }

    /** {@return the worker whose thread this is; null when it is none's} */
    static @Nullable RpcWorker currentWorker() {
        return CURRENT.isBound() ? CURRENT.get() : null;
    }

    @Override
    public void execute(Runnable task) {
        if (simulation != null) {
            simulation.execute(name, () -> runHere(task));
        } else if (!followUp.offer(task)) {
            Thread.ofVirtual()
                    .name(name)
                    .start(() -> ScopedValue.where(CURRENT, worker).run(() -> runAndFollow(task)));
        }
    }

    private void runAndFollow(Runnable first) {
        for (Runnable task = first; task != null; task = followUp.next()) {
            task.run();
            Thread.interrupted(); // if it was, that was meant for this task
        }
    }

    /** Run a task on this thread as if it were one of the worker's. */
    void runHere(Runnable task) {
        ScopedValue.where(CURRENT, worker).run(task);
    }

    /** {@return whether this thread runs something that a shutdown of the worker waits for} */
    boolean insideCall() {
        return running.counts() || (CALLING_BACK.isBound() && CALLING_BACK.get().equals(worker));
    }

    RunningCalls running() {
        return running;
    }

    <T extends @Nullable Object> CallFuture<T> newFuture() {
        return new CallFuture<>(this);
    }

    /** Return a future whose callbacks run where it ends. */
    <T extends @Nullable Object> CallFuture<T> newInlineFuture() {
        return new CallFuture<>(inline);
    }

    /** What a waiting thread does for peers is no part of its own profile. */
    @Override
    public int poll() {
        ProfilerState state = ProfilerState.current();
        if (state == null) {
            return worker.pollAgent();
        }
        ProfilerState.restore(null);
        try {
            return worker.pollAgent();
        } finally {
            state.enter();
        }
    }

    @Override
    public boolean pause(long idleNanos, long mostNanos) {
        return polling.pause(idleNanos, mostNanos);
    }

    @Override
    public void waited(long nanos) {
        polling.waited(nanos);
    }

    @Override
    public @Nullable Simulation simulation() {
        return simulation;
    }

    /** Callbacks count as calls under way: they may make calls, for which a shutdown waits. */
    @Override
    public Executor callbacks() {
        return task -> {
            outgoing.begin();
            execute(() -> {
                try {
                    ScopedValue.where(CALLING_BACK, worker).run(task);
                } finally {
                    outgoing.end();
                }
            });
        };
    }

    @Override
    public Runnable carry(Runnable callback) {
        return worker.observers().carry(callback);
    }

    @Override
    public void endPolling() {
        worker.endPolling();
    }

    @Override
    public void beginWait() {
        running.beginWait();
    }

    @Override
    public void endWait() {
        running.endWait();
    }
}
