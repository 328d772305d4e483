package org.gradwire.runtime.simulation;

import org.gradwire.rpc.RpcException;
import org.gradwire.spi.Message;
import org.gradwire.spi.WorkerTime;
import org.jspecify.annotations.Nullable;

import java.util.HashSet;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A discrete-event simulation of a group of workers: events happen sequentially in simulated time,
 * which jumps from one to the next. The delays of messages are drawn from a seed, so a program sees
 * the same order in each run. Thread-safe.
 *
 * <p>A thread of the program that waits for a future steps the simulation until the future ends;
 * otherwise the simulation stands still. Tasks of workers run on {@link SimulatedThread}s, one at a
 * time. A run is reproducible as long as one thread of the program makes the calls.
 */
public final class Simulation implements WorkerTime {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.simulation");
    private static final long MOST_LATENCY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** An event; the number orders events of the same time. */
    private record Event(long atNanos, long number, Runnable action) implements Comparable<Event> {
        @Override
        public int compareTo(Event other) {
            int byTime = Long.compare(atNanos, other.atNanos);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    private final long seed;
    private final ReentrantLock stepping = new ReentrantLock(true);
    private final SplittableRandom random; // guarded by this, as are those below
    private final PriorityQueue<Event> events = new PriorityQueue<>();
    private final Set<Integer> agents = new HashSet<>();
    private final Trace trace = new Trace();
    private long now;
    private long scheduled;

    /** Create a simulation without events, at time 0. */
    public Simulation(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    public long seed() {
        return seed;
    }

    /** Register an agent, which sends its messages by {@link #deliver}. */
    public synchronized void addAgent(int worker) {
        agents.add(worker);
    }

    /** {@return whether the agent of a worker takes part} */
    public synchronized boolean hasAgent(int worker) {
        return agents.contains(worker);
    }

    @Override
    public synchronized long nanoTime() {
        return now;
    }

    @Override
    public Future<?> schedule(Runnable task, long delayNanos) {
        var future = new FutureTask<>(guarded(task), null);
        add(Math.max(0, delayNanos), future);
        return future;
    }

    /** Deliver a message after its delay. */
    public synchronized void deliver(int from, int to, Message message, Runnable arrival) {
        add(
                random.nextLong(MOST_LATENCY_NANOS),
                () -> {
                    note(from, to, message);
                    guarded(arrival).run();
                });
    }

    /** Run a notification after the delay of a message. */
    public synchronized void tell(Runnable news) {
        add(random.nextLong(MOST_LATENCY_NANOS), guarded(news));
    }

    /** Run a task on a new simulated thread. */
    public void execute(String name, Runnable task) {
        var thread = new SimulatedThread(this, name, task);
        add(0, thread::go);
    }

    synchronized void add(long delayNanos, Runnable action) {
        long at = now + delayNanos;
        events.add(new Event(at < 0 ? Long.MAX_VALUE : at, scheduled++, action));
    }

    private synchronized void note(int from, int to, Message message) {
        trace.add(now, from, to, message);
    }

    private static Runnable guarded(Runnable task) {
        return () -> {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOGGER.log(System.Logger.Level.ERROR, "a step of the simulation failed", e);
            }
        };
    }

    /** Run the next event; {@return false when there is none} */
    boolean step() {
        stepping.lock();
        try {
            Event next = next();
            if (next != null) {
                next.action.run();
            }
            return next != null;
        } finally {
            stepping.unlock();
        }
    }

    private synchronized @Nullable Event next() {
        Event next = events.poll();
        if (next != null) {
            now = next.atNanos;
        }
        return next;
    }

    /**
     * Run all events.
     *
     * @param nanos limit of simulated time; 0 means none
     */
    public void runToRest(long nanos) {
        SimulatedThread.requireNone("waiting until a simulation is at rest");
        long end = nanos == 0 ? Long.MAX_VALUE : nanoTime() + nanos;
        while (nanoTime() < end && step()) {
            // as long as there is something
        }
    }

    /** {@return a wait of this thread for an event of the simulation} */
    public Wait newWait() {
        return new Wait(this, SimulatedThread.current());
    }

    RpcException atRest() {
        return new RpcException(
                "%s is at rest: no event is left that could end this wait. A call without a timeout or its reply got lost, or a function waits for an event that never happens"
                        .formatted(this));
    }

    /** {@return a hash of the order of deliveries} */
    public synchronized long traceHash() {
        return trace.hash();
    }

    public synchronized long deliveries() {
        return trace.length();
    }

    @Override
    public synchronized String toString() {
        return "the simulation with seed %d, %d ms after its beginning,"
                .formatted(seed, TimeUnit.NANOSECONDS.toMillis(now));
    }
}
