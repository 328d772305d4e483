package org.gradwire.bench;

import org.gradwire.bench.paced.PacedCalls;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * One of the two Gradwire processes of {@link NetworkBench}, each on its own host, or of {@link
 * PacedBench}.
 */
public final class NetworkPeer {

    private NetworkPeer() {}

    /** {@return the name of a worker} */
    static String name(int rank) {
        return "peer" + rank;
    }

    /**
     * Run a rank. The last arguments are the rank and the rendezvous; before them there are
     * settings, {@code KEY=VALUE}.
     */
    public static void main(String[] args) throws Exception {
        int last = args.length - 1;
        int rank = Integer.parseInt(args[last - 1]);
        RpcOptions.Builder options =
                RpcOptions.builder(name(rank))
                        .rank(rank)
                        .worldSize(2)
                        .rendezvous("tcp://" + args[last]);
        set(options, List.of(args).subList(0, last - 1));
        try (Rpc rpc = Rpc.init(options.build())) {
            if (rank == 0) {
                ChildLoop.serve(tasks(rpc, rpc.worker(1).name()));
            } else {
                Thread.ofPlatform().daemon().start(NetworkPeer::endWithInput);
            }
        } // closing it serves until the first worker leaves
    }

    /** Add settings, {@code KEY=VALUE}. */
    static void set(RpcOptions.Builder options, List<String> settings) {
        for (String setting : settings) {
            String[] pair = setting.split("=", 2);
            options.set(pair[0], pair[1]);
        }
    }

    /** Exit when the input ends, since a killed first worker never leaves. */
    static void endWithInput() {
        try {
            ChildLoop.awaitEnd();
        } catch (IOException e) {
            System.err.println("its input failed, which ends this process: " + e);
        }
        Runtime.getRuntime().halt(0);
    }

    private static Map<Metric, Workload> tasks(Rpc rpc, String peer) {
        Tensor small = Tensor.ones(2, 2);
        var workloads = new EnumMap<Metric, Workload>(Metric.class);
        workloads.put(
                Metric.NET_NOOP, Workload.latency(() -> rpc.runSync(peer, PeerFunctions::noop)));
        workloads.put(
                Metric.NET_ADD, Workload.latency(() -> rpc.rpcSync(peer, Ops::add, small, small)));
        workloads.put(
                Metric.NET_ECHO_8_MIB,
                Workload.latency(RemoteWorkloads.largeEcho(rpc, peer, Metric.NET_ECHO_8_MIB)));
        workloads.put(
                Metric.PACED_ASYNC,
                time ->
                        Timing.of(
                                PacedCalls.ofOneThread(
                                        time, done -> start(rpc, peer, small, done))));
        workloads.put(
                Metric.PACED_SYNC,
                time ->
                        Timing.of(
                                PacedCalls.ofThreads(
                                        time, () -> rpc.rpcSync(peer, Ops::add, small, small))));
        return workloads;
    }

    private static void start(Rpc rpc, String peer, Tensor tensor, Runnable done) {
        var _ = rpc.rpcAsync(peer, Ops::add, tensor, tensor).whenDone(done);
    }
}
