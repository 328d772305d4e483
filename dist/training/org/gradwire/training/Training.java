package org.gradwire.training;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.concurrent.CompletableFuture;

/**
 * The training run of the class archive: two workers in one JVM that form a group and call each
 * other. At its end the JVM writes its loaded classes into the archive.
 */
public final class Training {
    private Training() {}

    @RemoteCallable
    public static String greet(String who) {
        return "hello " + who + " from " + Rpc.current().self().name();
    }

    @RemoteCallable
    public static Tensor twice(Tensor tensor) {
        return tensor.mul(2);
    }

    public static void main(String[] args) throws IOException {
        String rendezvous = "tcp://127.0.0.1:" + freePort();
        var other = CompletableFuture.runAsync(() -> join(rendezvous, 1).close());
        try (Rpc rpc = join(rendezvous, 0)) {
            rpc.rpcSync("worker1", Training::greet, "you");
            rpc.rpcSync("worker1", Training::twice, Tensor.of(1f, 2f));
            try (RRef<Tensor> there = rpc.remote("worker1", Training::twice, Tensor.of(3f))) {
                there.toHere();
            }
        }
        other.join();
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Rpc join(String rendezvous, int rank) {
        return Rpc.init(
                RpcOptions.builder()
                        .name("worker" + rank)
                        .rank(rank)
                        .worldSize(2)
                        .rendezvous(rendezvous)
                        .build());
    }
}
