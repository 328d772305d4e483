package org.gradwire.bench.growth;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.WorkerInfo;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

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
                boolean isApart = line.equals(CALLS_APART);
                int turnsApart = Math.ceilDiv(CALLS_APART_IN_ALL, rpc.workers().size() - 1);
                System.out.println(
                        callMicros(rpc, isApart ? turnsApart : TURNS, isApart ? APART_NANOS : 0));
            }
        }
    }

    /** {@return the median time of calls to all others in turn, the mean over the others} */
    private static double callMicros(Rpc rpc, int turns, long pauseNanos) throws Exception {
        Tensor t = Tensor.ones(2, 2);
        List<String> peers =
                rpc.workers().stream()
                        .filter(worker -> !worker.equals(rpc.self()))
                        .map(WorkerInfo::name)
                        .toList();
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
