package org.gradwire.bench;

import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.util.EnumMap;
import java.util.Map;

/** One of the two Gradwire processes of {@link NetworkBench}, each on a host of its own. */
public final class NetworkPeer {

    private NetworkPeer() {}

    /** Play the part of rank {@code args[0]}; the group meets at {@code args[1]}. */
    public static void main(String[] args) throws Exception {
        int rank = Integer.parseInt(args[0]);
        RpcOptions options =
                RpcOptions.builder("peer" + rank)
                        .rank(rank)
                        .worldSize(2)
                        .rendezvous("tcp://" + args[1])
                        .set("gradwire.insecure", "true") // namespaces of this machine
                        .build();
        try (Rpc rpc = Rpc.init(options)) {
            if (rank == 0) {
                ChildLoop.serve(tasks(rpc, rpc.worker(1).name()));
            } else {
                Thread.ofPlatform().daemon().start(NetworkPeer::endWithInput);
            }
        } // where the second one serves until the first one leaves
    }

    /** The first one may be killed, and then never leaves. */
    private static void endWithInput() {
        try {
            ChildLoop.awaitEnd();
        } catch (IOException e) {
            System.err.println("its input failed, which ends this process: " + e);
        }
        Runtime.getRuntime().halt(0);
    }

    private static Map<Figure, Task> tasks(Rpc rpc, String peer) {
        Tensor small = Tensor.ones(2, 2);
        var tasks = new EnumMap<Figure, Task>(Figure.class);
        tasks.put(Figure.NET_NOOP, Task.latency(() -> rpc.runSync(peer, PeerFunctions::noop)));
        tasks.put(Figure.NET_ADD, Task.latency(() -> rpc.rpcSync(peer, Ops::add, small, small)));
        tasks.put(
                Figure.NET_ECHO_8_MIB,
                Task.latency(RemoteTasks.largeEcho(rpc, peer, Figure.NET_ECHO_8_MIB)));
        return tasks;
    }
}
