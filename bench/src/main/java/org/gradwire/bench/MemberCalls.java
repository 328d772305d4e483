package org.gradwire.bench;

import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.FutureTask;

/** Small calls of rank 0 on rank 1, alone and while all members repeat an operation. */
final class MemberCalls {
    /** The metrics that are such calls, and are compared with each other. */
    static final Set<Metric> METRICS =
            EnumSet.of(Metric.CALL_ALONE, Metric.CALL_DURING_ADD, Metric.CALL_DURING_ALL_REDUCE);

    private final Workload.Call call;
    private final boolean isCaller;

    MemberCalls(Rpc rpc, int rank) {
        String callee = NetworkPeer.name(1);
        Tensor small = Tensor.ones(2, 2);
        call = () -> rpc.rpcSync(callee, Ops::add, small, small);
        isCaller = rank == 0;
    }

    /** Call some times; the other members do nothing. */
    Timing alone(int count) throws Exception {
        return isCaller ? CollectivePeer.timed(call, count) : Timing.even(0);
    }

    /**
     * Repeat an operation some times, and call until the last one has ended.
     *
     * @return the times of the calls; on members that do not call, of the operation
     */
    Timing during(Workload.Call operation, int count) throws Exception {
        if (!isCaller) {
            return CollectivePeer.timed(operation, count);
        }
        var operations = new FutureTask<>(() -> CollectivePeer.timed(operation, count));
        Thread.ofPlatform().daemon().name("operations").start(operations);
        long[] nanos = new long[1024];
        int calls = 0;
        do {
            if (calls == nanos.length) {
                nanos = Arrays.copyOf(nanos, 2 * calls);
            }
            long begin = System.nanoTime();
            call.run();
            nanos[calls++] = System.nanoTime() - begin;
        } while (!operations.isDone());
        var _ = operations.get();
        return Timing.of(nanos, calls, Timing.PER_CENT);
    }
}
