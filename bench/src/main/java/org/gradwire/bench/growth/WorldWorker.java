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
 * A worker of a {@link World}: it prints {@link #READY} when its group has formed, then answers
 * each line with the microseconds of a call, one of some hundred, until its input ends.
 */
final class WorldWorker {
    static final String READY = "ready";

    /** Asks for calls one after another. */
    static final String CALLS = "calls";

    /** Asks for calls with so much time before each that all workers wait again. */
    static final String CALLS_APART = "calls apart";

    private static final int TURNS = 200;
    private static final int CALLS_APART_IN_ALL = 256;

    /**
     * Cores and caches are as after a long sleep: from 8 ms on a pipe answers as late as it may.
     */
    private static final long APART_NANOS = 16_000_000;

    private WorldWorker() {}

    /**
     * Take part.
     *
     * @param args rank, number of workers, where they meet, folder of the driver
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
                LockSupport.parkNanos(pauseNanos); // none when it is 0
                nanos[i][turn] = Repeat.nanos(() -> rpc.rpcSync(peer, Ops::add, t, t));
            }
        }
        return Arrays.stream(nanos).mapToLong(WorldWorker::median).average().orElseThrow() / 1e3;
    }

    private static long median(long[] nanos) {
        Arrays.sort(nanos);
        return nanos[nanos.length / 2];
    }
}
