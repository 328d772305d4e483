package org.gradwire.bench;

import org.gradwire.collective.ProcessGroup;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Tensor;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * A member of the group that {@link CollectivesBench} measures. Rank 0 broadcasts to the others
 * which operation they repeat, and how often.
 */
public final class CollectivePeer {
    private static final List<Metric> METRICS = List.of(Metric.values());
    private static final int LEAST = 3; // operations that estimate the time of one
    private static final long MOST = 1_000_000;
    private static final long END = 0; // as a number of operations

    /**
     * The others wait for rank 0 while it waits for the bench; the end of their input ends them.
     */
    private static final Duration TIMEOUT = Duration.ofHours(12);

    private final ProcessGroup group;
    private final CollectiveWorkloads workloads;
    private final Map<Metric, Workload.Call> calls = new EnumMap<>(Metric.class);

    private CollectivePeer(ProcessGroup group) {
        this.group = group;
        workloads = new CollectiveWorkloads(group);
    }

    /** Run a member. Arguments: number of members, driver directory, rank, rendezvous. */
    public static void main(String[] args) throws Exception {
        int size = Integer.parseInt(args[0]);
        int rank = Integer.parseInt(args[2]);
        RpcOptions options =
                RpcOptions.builder(NetworkPeer.name(rank))
                        .rank(rank)
                        .worldSize(size)
                        .rendezvous(args[3])
                        .set("gradwire.tensorpipe.directory", args[1])
                        .build();
        List<String> names = IntStream.range(0, size).mapToObj(NetworkPeer::name).toList();
        try (Rpc rpc = Rpc.init(options);
                ProcessGroup group = ProcessGroup.of(rpc, "bench", names, TIMEOUT)) {
            var peer = new CollectivePeer(group);
            if (rank == 0) {
                ChildLoop.serve(peer.all());
                var _ = peer.announce(0, END);
            } else {
                Thread.ofPlatform().daemon().start(NetworkPeer::endWithInput);
                peer.follow();
            }
        }
    }

    private Map<Metric, Workload> all() {
        Map<Metric, Workload> all = new EnumMap<>(Metric.class);
        for (Metric metric : Metric.values()) {
            if (metric.mode() == Mode.COLLECTIVES && CollectivesBench.fits(metric, group.size())) {
                all.put(metric, time -> measure(metric, time));
            }
        }
        return all;
    }

    private Timing measure(Metric metric, Duration time) throws Exception {
        long each = Math.max(1, repeat(metric, LEAST).medianNanos());
        return repeat(metric, Math.clamp(time.toNanos() / each, LEAST, MOST));
    }

    private Timing repeat(Metric metric, long count) throws Exception {
        var _ = announce(METRICS.indexOf(metric), count);
        return run(metric, (int) count);
    }

    /** Return what rank 0 announces: the metric, and the number of operations. */
    private long[] announce(long metric, long count) {
        return group.broadcast(Tensor.of(metric, count), 0).toLongArray();
    }

    private void follow() throws Exception {
        long[] next = announce(0, END);
        while (next[1] != END) {
            run(METRICS.get((int) next[0]), (int) next[1]);
            next = announce(0, END);
        }
    }

    private Timing run(Metric metric, int count) throws Exception {
        Workload.Call call = calls.get(metric);
        if (call == null) {
            call = workloads.checked(metric);
            calls.put(metric, call);
        }
        long[] nanos = new long[count];
        long now = System.nanoTime();
        for (int i = 0; i < count; i++) {
            call.run();
            long end = System.nanoTime();
            nanos[i] = end - now;
            now = end;
        }
        return Timing.of(nanos, count, Timing.PER_CENT);
    }
}
