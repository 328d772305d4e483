package org.gradwire.bench.growth;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.lang.management.ManagementFactory;

import javax.management.ObjectName;

/** The functions that a growth calls on its peer, or on itself. */
public final class PeerState {

    private PeerState() {}

    /** Return the bytes of all objects that are in use, after a full collection. */
    @RemoteCallable
    public static long liveBytes() throws Exception {
        // A histogram of live objects collects all garbage, and counts exactly. System.gc() does
        // not: with this project's flags it leaves garbage in regions that hold something else.
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

    /** Return one of the figures that the worker reports about itself. */
    @RemoteCallable
    public static long figure(String name) {
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

    /** Add one tensor to another as often as said, each time on the other worker than before. */
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
