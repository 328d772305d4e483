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
 * A group of workers as a discrete-event simulation: one thing happens after the other, each at a
 * moment of a time of its own, which jumps from one to the next. How long each message takes is
 * drawn from a seed, so the same program sees the same order again.
 *
 * <p>Nothing happens by itself: a thread of the program that waits for a future makes happen what
 * comes next, until what it waits for has come. What workers do on threads of theirs is done by
 * {@link SimulatedThread}s, one at a time. A run is repeated exactly as long as one thread of the
 * program makes the calls.
 */
public final class Simulation implements WorkerTime {
    private static final System.Logger LOGGER = System.getLogger("org.gradwire.simulation");
    private static final long MOST_LATENCY_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    /** What happens when; the number keeps the order of what happens at one moment. */
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

    /** Create one at whose moment 0 nothing is under way. */
    public Simulation(long seed) {
        this.seed = seed;
        this.random = new SplittableRandom(seed);
    }

    public long seed() {
        return seed;
    }

    /** An agent hands in its messages by {@link #deliver}. */
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

    /** Hand in a message after the time it takes. */
    public synchronized void deliver(int from, int to, Message message, Runnable arrival) {
        add(
                random.nextLong(MOST_LATENCY_NANOS),
                () -> {
                    note(from, to, message);
                    guarded(arrival).run();
                });
    }

    /** Tell a worker something else than a message, after as long as one takes. */
    public synchronized void tell(Runnable news) {
        add(random.nextLong(MOST_LATENCY_NANOS), guarded(news));
    }

    /** Run a task on a thread of its own, as soon as it is its turn. */
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

    /** Let the next thing happen; {@return whether there was one} */
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
     * Let everything happen that is under way.
     *
     * @param nanos of the simulation's time, after which it is left as it is; 0 means without end
     */
    public void runToRest(long nanos) {
        SimulatedThread.requireNone("waiting until a simulation has come to rest");
        long end = nanos == 0 ? Long.MAX_VALUE : nanoTime() + nanos;
        while (nanoTime() < end && step()) {
            // as long as there is something
        }
    }

    /** {@return what a thread waits with for something that happens in the simulation} */
    public Wait newWait() {
        return new Wait(this, SimulatedThread.current());
    }

    RpcException atRest() {
        return new RpcException(
                "%s has come to rest: nothing is under way any more that could end this wait. A call or its reply got lost that has no timeout, or a function waits for what never happens"
                        .formatted(this));
    }

    /** {@return a number that tells one order of deliveries from another} */
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
