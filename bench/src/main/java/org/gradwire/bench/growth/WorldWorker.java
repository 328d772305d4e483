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

/**
 * A worker of a {@link World}: it prints {@link #READY} when its group has formed, then answers
 * each line with the microseconds of a call, until its input ends.
 */
final class WorldWorker {
    static final String READY = "ready";

    private static final int TURNS = 400;

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
            while (in.readLine() != null) {
                System.out.println(callMicros(rpc));
            }
        }
    }

    /** {@return the median time of calls to all others in turn, the mean over the others} */
    private static double callMicros(Rpc rpc) throws Exception {
        Tensor t = Tensor.ones(2, 2);
        List<String> peers =
                rpc.workers().stream()
                        .filter(worker -> !worker.equals(rpc.self()))
                        .map(WorkerInfo::name)
                        .toList();
        long[][] nanos = new long[peers.size()][TURNS];
        for (int turn = 0; turn < TURNS; turn++) {
            for (int i = 0; i < peers.size(); i++) {
                String peer = peers.get(i);
                nanos[i][turn] = Repeat.nanos(() -> rpc.rpcSync(peer, Ops::add, t, t));
            }
        }
        return Arrays.stream(nanos).mapToLong(WorldWorker::lateMedian).average().orElseThrow()
                / 1e3;
    }

    /** {@return the median of the second half: in the first one the workers' code is compiled} */
    private static long lateMedian(long[] nanos) {
        long[] late = Arrays.copyOfRange(nanos, TURNS / 2, TURNS);
        Arrays.sort(late);
        return late[late.length / 2];
    }
}
