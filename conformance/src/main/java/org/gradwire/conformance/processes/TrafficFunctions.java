package org.gradwire.conformance.processes;

import org.gradwire.rpc.NonRetaining;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Remote functions of {@link Traffic}. Each worker records the calls it has run. */
public final class TrafficFunctions {
    private final Set<String> runs = ConcurrentHashMap.newKeySet();
    private final AtomicLong repeated = new AtomicLong();

    private TrafficFunctions() {}

    private static TrafficFunctions of(Rpc rpc) {
        return rpc.locals().get(TrafficFunctions.class, TrafficFunctions::new);
    }

    /** {@return the number of calls that ran more than once on a worker} */
    public static long repeated(Rpc rpc) {
        return of(rpc).repeated.get();
    }

    /** Record a call, and return its number and the sum of its tensor. */
    @RemoteCallable
    @NonRetaining
    public static double run(int caller, long number, Tensor payload) {
        TrafficFunctions here = of(Rpc.current());
        if (!here.runs.add(caller + " " + number)) {
            here.repeated.incrementAndGet();
        }
        return number + payload.sum().item();
    }

    /** Return the sum of a tensor on another worker, and close the reference. */
    @RemoteCallable
    public static double sumOf(RRef<Tensor> value) {
        try (value) {
            return value.toHere().sum().item();
        }
    }
}
