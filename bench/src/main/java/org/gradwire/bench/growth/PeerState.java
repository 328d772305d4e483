package org.gradwire.bench.growth;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.lang.management.ManagementFactory;

import javax.management.ObjectName;

/** The functions that growth benchmarks call on either worker. */
public final class PeerState {

    private PeerState() {}

    /** Return the bytes of all live objects, after a full collection. */
    @RemoteCallable
    public static long liveBytes() throws Exception {
        // A histogram of live objects collects all garbage, and counts exactly. System.gc() does
        // not: with this project's flags it leaves garbage in regions with live objects.
        String histogram =
                (String)
                        ManagementFactory.getPlatformMBeanServer()
                                .invoke(
                                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                                        "gcClassHistogram",
                                        new Object[] {new String[0]},
                                        new String[] {String[].class.getName()});
        String total = histogram.substring(histogram.lastIndexOf("Total"));
        return Long.parseLong(total.strip().split("\\s+", -1)[2]);
    }

    /** Return a metric of the worker's debug info. */
    @RemoteCallable
    public static long metric(String name) {
        return Long.parseLong(Rpc.current().debugInfo().get(name));
    }

    /** Return a number. */
    @RemoteCallable
    public static long number() {
        return 1;
    }

    /** Return the argument. */
    @RemoteCallable
    public static Tensor echo(Tensor tensor) {
        return tensor;
    }

    /** Add one tensor to another repeatedly, alternating between the workers. */
    @RemoteCallable
    public static Tensor addInTurn(Tensor sum, Tensor more, long depth, String other) {
        Tensor next = Ops.add(sum, more);
        if (depth == 1) {
            return next;
        }
        Rpc rpc = Rpc.current();
        return rpc.rpcSync(other, PeerState::addInTurn, next, more, depth - 1, rpc.self().name());
    }
}
