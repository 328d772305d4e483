package org.gradwire.conformance.functions;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Blocks functions on a worker until the case releases them, so that the case controls the order of
 * events. Each worker has one gate with named doors. Thread-safe.
 */
public final class Gate {
    private static final long LIMIT_NANOS = 60_000_000_000L;

    private final Set<String> open = new HashSet<>(); // guarded by this, as is entered
    private final Map<String, Integer> entered = new HashMap<>();

    private Gate() {}

    /** {@return the gate of a worker} */
    public static Gate of(Rpc rpc) {
        return rpc.locals().get(Gate.class, Gate::new);
    }

    /** Wait until a door of this worker is open, then return the value. */
    @RemoteCallable
    public static int hold(String door, int value) throws InterruptedException {
        of(Rpc.current()).pass(door);
        return value;
    }

    /** Open a door of this worker permanently. */
    @RemoteCallable
    public static void open(String door) {
        of(Rpc.current()).letPass(door);
    }

    /** Wait until a number of functions have reached a door of this worker. */
    @RemoteCallable
    public static void awaitEntered(String door, int count) throws InterruptedException {
        of(Rpc.current()).awaitArrivals(door, count);
    }

    /** {@return the number of functions that have reached a door of this worker} */
    @RemoteCallable
    public static int entered(String door) {
        return of(Rpc.current()).arrivals(door);
    }

    /** Wait at a door until it is open. */
    public synchronized void pass(String door) throws InterruptedException {
        entered.merge(door, 1, Integer::sum);
        notifyAll();
        await(() -> open.contains(door), "nothing opened door " + door);
    }

    /** Open a door permanently. */
    public synchronized void letPass(String door) {
        open.add(door);
        notifyAll();
    }

    /** Wait until a number of functions have reached a door. */
    public synchronized void awaitArrivals(String door, int count) throws InterruptedException {
        await(() -> arrivals(door) >= count, "too few functions reached door " + door);
    }

    /** {@return the number of functions that have reached a door} */
    public synchronized int arrivals(String door) {
        return entered.getOrDefault(door, 0);
    }

    private synchronized void await(BooleanSupplier condition, String failure)
            throws InterruptedException {
        long deadline = System.nanoTime() + LIMIT_NANOS;
        while (!condition.getAsBoolean()) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new IllegalStateException(failure);
            }
            wait(left);
        }
    }
}
