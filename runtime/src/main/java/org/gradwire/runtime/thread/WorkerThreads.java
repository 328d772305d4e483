package org.gradwire.runtime.thread;

import org.gradwire.profiler.ProfilerState;
import org.gradwire.rpc.Rpc;
import org.gradwire.runtime.future.CallFuture;
import org.gradwire.runtime.future.FutureHost;
import org.gradwire.runtime.simulation.Simulation;
import org.gradwire.spi.RpcAgent;
import org.gradwire.spi.SpinPolicy;
import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;

/**
 * The virtual threads of a worker, on which {@link Rpc#current} returns the worker; also the host
 * of its futures, whose waiting threads poll the agent. Thread-safe.
 */
public final class WorkerThreads implements FutureHost, Executor {
    private static final ScopedValue<WorkerThreads> CURRENT = ScopedValue.newInstance();
    private static final ScopedValue<WorkerThreads> CALLING_BACK = ScopedValue.newInstance();

    private final String name;
    private final RunningCalls running;
    private final InFlightCounter outgoing;
    private final SpinPolicy polling = new SpinPolicy();
    private final PollAfterTask pollAfterTask;
    private final AtomicInteger parked = new AtomicInteger(); // threads in waits
    private final @Nullable Simulation simulation;

    private volatile @Nullable Rpc rpc; // these three set once, before the worker joins
    private volatile @Nullable RpcAgent agent;
    private volatile UnaryOperator<Runnable> carrier = UnaryOperator.identity();

    /** This host, except that callbacks run on the thread that completes the future. */
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
                    WorkerThreads.this.endPolling();
                }

                @Override
                public void linger() {
                    WorkerThreads.this.linger();
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
                    WorkerThreads.this.endWait();
                }
            };

    public WorkerThreads(
            String workerName,
            int maxRunningCalls,
            InFlightCounter outgoing,
            @Nullable Simulation simulation) {
        this.name = "gradwire-" + workerName;
        this.outgoing = outgoing;
        this.simulation = simulation;
        this.running = new RunningCalls(this, maxRunningCalls);
        this.pollAfterTask = new PollAfterTask(this::pollAgent, this::endPolling);
    }

    /**
     * Set the parts of the worker that are created after its threads.
     *
     * @param callbackCarrier wraps a callback of the program so that it runs in the context of its
     *     thread
     */
    public void connect(Rpc worker, RpcAgent polled, UnaryOperator<Runnable> callbackCarrier) {
        rpc = worker;
        agent = polled;
        carrier = callbackCarrier;
    }

    /** {@return the worker of this thread; null if it has none} */
    public static @Nullable Rpc currentWorker() {
        return CURRENT.isBound() ? CURRENT.get().rpc : null;
    }

    @Override
    public void execute(Runnable task) {
        if (simulation != null) {
            simulation.execute(name, () -> runHere(task));
        } else if (!pollAfterTask.offer(task)) {
            Thread.ofVirtual()
                    .name(name)
                    .start(() -> ScopedValue.where(CURRENT, this).run(() -> runAndPoll(task)));
        }
    }

    private void runAndPoll(Runnable first) {
        for (Runnable task = first; task != null; task = next(task)) {
            task.run();
            Thread.interrupted(); // an interrupt was for this task only
        }
    }

    /**
     * {@return the next task of a thread that has run one; null: it ends} The caller of a function
     * probably calls again. After a callback only replies are expected, of the calls in flight.
     */
    private @Nullable Runnable next(Runnable task) {
        boolean expectsMore = !(task instanceof Callback) || outgoing.count() > 0;
        return expectsMore ? pollAfterTask.next() : null;
    }

    /** Run a task on this thread as on a thread of the worker. */
    public void runHere(Runnable task) {
        ScopedValue.where(CURRENT, this).run(task);
    }

    /** {@return whether this thread runs a call or callback, which a shutdown waits for} */
    public boolean insideCall() {
        return running.counts() || (CALLING_BACK.isBound() && CALLING_BACK.get() == this);
    }

    /** {@return the inbound calls that run} */
    public RunningCalls running() {
        return running;
    }

    /** Return a future whose callbacks run on the worker's threads. */
    public <T extends @Nullable Object> CallFuture<T> newFuture() {
        return new CallFuture<>(this);
    }

    /** Return a future whose callbacks run on the thread that completes it. */
    public <T extends @Nullable Object> CallFuture<T> newInlineFuture() {
        return new CallFuture<>(inline);
    }

    /** Poll outside the thread's profile, which must not record the work for peers. */
    @Override
    public int poll() {
        ProfilerState state = ProfilerState.current();
        if (state == null) {
            return pollAgent();
        }
        ProfilerState.restore(null);
        try {
            return pollAgent();
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

    /**
     * Return the executor of callbacks, which count as outgoing calls: they may make calls, for
     * which a shutdown must wait.
     */
    @Override
    public Executor callbacks() {
        return task -> {
            outgoing.begin();
            execute(new Callback(this, task));
        };
    }

    /** A callback of the program, which counts as an outgoing call until it ends. */
    private record Callback(WorkerThreads threads, Runnable body) implements Runnable {
        @Override
        public void run() {
            try {
                ScopedValue.where(CALLING_BACK, threads).run(body);
            } finally {
                threads.outgoing.end();
            }
        }
    }

    @Override
    public Runnable carry(Runnable callback) {
        return carrier.apply(callback);
    }

    /** As {@link RpcAgent#linger}, unless a parked thread may wait for a patient message. */
    @Override
    public void linger() {
        RpcAgent polled = Objects.requireNonNull(agent);
        if (parked.get() == 0) {
            polled.linger();
        }
        if (parked.get() > 0) { // a thread that parks counts before it ends its polling
            polled.endPolling();
        }
    }

    private int pollAgent() {
        return Objects.requireNonNull(agent).poll();
    }

    @Override
    public void endPolling() {
        Objects.requireNonNull(agent).endPolling();
    }

    @Override
    public void beginWait() {
        parked.incrementAndGet();
        running.beginWait();
    }

    @Override
    public void endWait() {
        parked.decrementAndGet();
        running.endWait();
    }
}
