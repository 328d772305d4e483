package org.gradwire.conformance.functions;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.Scoped;
import org.gradwire.tensor.Tensor;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/** Functions of the traffic in which processes are killed. Each worker knows what has run on it. */
public final class TrafficFunctions {
    private final Set<String> runs = ConcurrentHashMap.newKeySet();
    private final AtomicLong repeated = new AtomicLong();

    private TrafficFunctions() {}

    private static TrafficFunctions of(Rpc rpc) {
        return rpc.local(TrafficFunctions.class, TrafficFunctions::new);
    }

    /** {@return how many calls have run on a worker again that had run before} */
    public static long repeated(Rpc rpc) {
        return of(rpc).repeated.get();
    }

    /** Note that a call runs here, and return its number and the sum of its tensor. */
    @RemoteCallable
    @Scoped
    public static double run(int caller, long number, Tensor payload) {
        TrafficFunctions here = of(Rpc.current());
        if (!here.runs.add(caller + " " + number)) {
            here.repeated.incrementAndGet();
        }
        return number + payload.sum().item();
    }

    /** Return the sum of a tensor that is on another worker, and give the reference up. */
    @RemoteCallable
    public static double sumOf(RRef<Tensor> value) {
        try (value) {
            return value.toHere().sum().item();
        }
    }
}
