package org.gradwire.examples.guide;

import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.RetryPolicy;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcOptions;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

/** A program under faults, in simulated time. */
public final class UnderFaults {
    private UnderFaults() {}

    @RemoteCallable
    public static int square(int number) {
        return number * number;
    }

    /** Start workers in one JVM with lost messages and simulated, seeded time. */
    public static List<Rpc> join(int size, int seed) throws Exception {
        List<Rpc> workers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Rpc>> joining =
                    IntStream.range(0, size)
                            .mapToObj(rank ->
                                    threads.submit(() -> Rpc.init(options(rank, size, seed))))
                            .toList();
            for (Future<Rpc> each : joining) {
                workers.add(each.get());
            }
        }
        return workers;
    }

    private static RpcOptions options(int rank, int size, int seed) {
        return RpcOptions.builder()
                .rank(rank)
                .worldSize(size)
                .rendezvous("inproc://under-faults-" + seed)
                .backend("faulty")
                .set("gradwire.faulty.backend", "inproc")
                .set("gradwire.faulty.messages-to-delay", "UDF_CALL:0s..50ms")
                .set("gradwire.faulty.requests-to-lose", "*:0.1")
                .set("gradwire.faulty.replies-to-lose", "*:0.1")
                .set("gradwire.faulty.seed", Integer.toString(seed))
                .set("gradwire.simulation.seed", Integer.toString(seed))
                .build();
    }

    /** Sum up the squares that the other workers compute, with retries. */
    public static int sumOfSquares(Rpc rpc) {
        var policy = new RetryPolicy(20, Duration.ofMillis(100), 1.5, Duration.ofSeconds(2));
        List<RpcFuture<Integer>> squares =
                rpc.workers().stream()
                        .map(worker ->
                                rpc.withRetry(policy)
                                        .rpcAsync(worker.name(), UnderFaults::square, worker.id()))
                        .toList();
        return squares.stream().mapToInt(RpcFuture::join).sum();
    }
}
