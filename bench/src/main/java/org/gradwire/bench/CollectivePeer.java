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
    private final MemberCalls memberCalls;
    private final Map<Metric, Workload.Call> calls = new EnumMap<>(Metric.class);

    private CollectivePeer(Rpc rpc, ProcessGroup group) {
        this.group = group;
        workloads = new CollectiveWorkloads(group);
        memberCalls = new MemberCalls(rpc, group.rank());
    }

    /**
     * Run a member. Arguments: the number of members, settings {@code KEY=VALUE}, the rank, and the
     * rendezvous.
     */
    public static void main(String[] args) throws Exception {
        int size = Integer.parseInt(args[0]);
        int last = args.length - 1;
        int rank = Integer.parseInt(args[last - 1]);
        RpcOptions.Builder options =
                RpcOptions.builder(NetworkPeer.name(rank))
                        .rank(rank)
                        .worldSize(size)
                        .rendezvous(args[last]);
        NetworkPeer.set(options, List.of(args).subList(1, last - 1));
        List<String> names = IntStream.range(0, size).mapToObj(NetworkPeer::name).toList();
        try (Rpc rpc = Rpc.init(options.build());
                ProcessGroup group = ProcessGroup.of(rpc, "bench", names, TIMEOUT)) {
            var peer = new CollectivePeer(rpc, group);
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
        long begin = System.nanoTime();
        Timing few = repeat(metric, LEAST);
        long each =
                CollectivesBench.LARGEST.contains(metric)
                        ? (System.nanoTime() - begin) / LEAST
                        : few.medianNanos();
        return repeat(metric, Math.clamp(time.toNanos() / Math.max(1, each), LEAST, MOST));
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
        return switch (metric) {
            case CALL_ALONE -> memberCalls.alone(count);
            case CALL_DURING_ADD -> memberCalls.during(addition(metric), count);
            case CALL_DURING_ALL_REDUCE ->
                    memberCalls.during(operation(Metric.ALL_REDUCE_256_MIB), count);
            default -> timed(operation(metric), count);
        };
    }

    private Workload.Call operation(Metric metric) {
        return calls.computeIfAbsent(metric, workloads::checked);
    }

    /** {@return an addition of two tensors on this member alone} */
    private Workload.Call addition(Metric metric) {
        return calls.computeIfAbsent(
                metric,
                _ -> {
                    int length = (int) (metric.work() / Float.BYTES);
                    Tensor sum = Tensor.zeros(length);
                    Tensor ones = Tensor.ones(length);
                    return () -> sum.add_(ones);
                });
    }

    /** Run an operation some times, and time each. */
    static Timing timed(Workload.Call call, int count) throws Exception {
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
