package org.gradwire.bench.growth;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.WorkerGroup;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BiFunction;

/**
 * A worker of a {@link TestGroup}: prints {@link #READY} when its group has formed, then replies to
 * each line with the median call time in microseconds, until its input ends.
 */
final class TestGroupWorker {
    static final String READY = "ready";

    /** Requests calls in sequence. */
    static final String CALLS = "calls";

    /** Requests calls with a pause before each, so that all workers are idle. */
    static final String CALLS_APART = "calls apart";

    /** Requests a broadcast of a tensor to all others. */
    static final String BROADCAST = "broadcast";

    /** Requests calls to all others at once, each of which has the tensor. */
    static final String CALLS_WITH_TENSOR = "calls with tensor";

    private static final int BROADCAST_BYTES = 8 << 20;
    private static final int TURNS = 200;
    private static final int CALLS_APART_IN_ALL = 256;

    /** Pause that leaves cores and caches cold: from 8 ms on, a pipe has its maximum latency. */
    private static final long APART_NANOS = 16_000_000;

    private TestGroupWorker() {}

    /**
     * Join the group.
     *
     * @param args rank, number of workers, rendezvous, driver directory
     */
    static void main(String[] args) throws Exception {
        RpcOptions options =
                RpcOptions.builder("worker" + args[0])
                        .rank(Integer.parseInt(args[0]))
                        .worldSize(Integer.parseInt(args[1]))
                        .rendezvous(args[2])
                        .set("gradwire.tensorpipe.directory", args[3])
                        .build();
        try (Rpc rpc = Rpc.init(options)) {
            System.out.println(READY);
            var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line; (line = in.readLine()) != null; ) {
                System.out.println(answer(rpc, line));
            }
        }
    }

    private static double answer(Rpc rpc, String question) throws Exception {
        return switch (question) {
            case CALLS -> callMicros(rpc, TURNS, 0);
            case CALLS_APART -> {
                int turns = Math.ceilDiv(CALLS_APART_IN_ALL, rpc.workers().size() - 1);
                yield callMicros(rpc, turns, APART_NANOS);
            }
            case BROADCAST -> sentMicros(rpc, (group, tensor) -> group.broadcast(tensor));
            case CALLS_WITH_TENSOR ->
                    sentMicros(rpc, (group, tensor) -> sentInCalls(rpc, group, tensor));
            default -> throw new IllegalArgumentException(question);
        };
    }

    /** {@return the time until all others have a tensor, in which each keeps it} */
    private static double sentMicros(
            Rpc rpc, BiFunction<WorkerGroup, Tensor, List<RRef<Tensor>>> send) {
        WorkerGroup others = rpc.workers(others(rpc));
        Tensor tensor = Tensor.ones(BROADCAST_BYTES / Float.BYTES);
        long begin = System.nanoTime();
        List<RRef<Tensor>> kept = send.apply(others, tensor);
        long nanos = System.nanoTime() - begin;
        kept.forEach(RRef::close);
        return nanos / 1e3;
    }

    private static List<RRef<Tensor>> sentInCalls(Rpc rpc, WorkerGroup others, Tensor tensor) {
        List<RRef<Tensor>> kept =
                others.names().stream()
                        .map(name -> rpc.remote(name, PeerState::echo, tensor))
                        .toList();
        kept.forEach(reference -> reference.confirmation().join());
        return kept;
    }

    private static List<String> others(Rpc rpc) {
        return rpc.workers().stream()
                .filter(worker -> !worker.equals(rpc.self()))
                .map(WorkerInfo::name)
                .toList();
    }

    /** {@return the median time of calls to all others in turn, the mean over the others} */
    private static double callMicros(Rpc rpc, int turns, long pauseNanos) throws Exception {
        Tensor t = Tensor.ones(2, 2);
        List<String> peers = others(rpc);
        long[][] nanos = new long[peers.size()][turns];
        for (int turn = 0; turn < turns; turn++) {
            for (int i = 0; i < peers.size(); i++) {
                String peer = peers.get(i);
                LockSupport.parkNanos(pauseNanos); // no pause when it is 0
                nanos[i][turn] = RepeatedRun.nanos(() -> rpc.rpcSync(peer, Ops::add, t, t));
            }
        }
        return Arrays.stream(nanos).mapToLong(TestGroupWorker::median).average().orElseThrow()
                / 1e3;
    }

    private static long median(long[] nanos) {
        Arrays.sort(nanos);
        return nanos[nanos.length / 2];
    }
}
