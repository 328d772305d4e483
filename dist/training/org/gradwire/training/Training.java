package org.gradwire.training;

import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.elastic.Elastic;
import org.gradwire.rpc.elastic.ElasticProgram;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The training run of the class archive: two workers in one JVM that form a group and call each
 * other, then two of a dynamic group, as the launcher starts them again after a failure. At its end
 * the JVM writes its loaded classes into the archive.
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
        callEachOther();
        doElasticStep();
    }

    private static void callEachOther() throws IOException {
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

    /** Form a group that a worker may join later, and do one step of both workers. */
    private static void doElasticStep() throws IOException {
        Path store = Files.createTempFile("gradwire-training", ".store");
        String rendezvous = store.toUri().toString();
        var other = CompletableFuture.runAsync(() -> doElasticStep(rendezvous, 1));
        doElasticStep(rendezvous, 0);
        other.join();
        Files.deleteIfExists(store);
    }

    private static void doElasticStep(String rendezvous, int rank) {
        try (Rpc rpc = Rpc.init(worker(rendezvous, rank).dynamicGroup().build())) {
            Elastic.on(rpc).when(view -> view.members().size() == 2).run(new OneStep(rpc));
        }
    }

    private record OneStep(Rpc rpc) implements ElasticProgram {
        @Override
        public void recover(GroupView view) {
            // there is nothing to restore
        }

        @Override
        public boolean step(GroupView view) {
            rpc.allGather(view.number(), Set.copyOf(view.names()));
            return false;
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    private static Rpc join(String rendezvous, int rank) {
        return Rpc.init(worker(rendezvous, rank).worldSize(2).build());
    }

    private static RpcOptions.Builder worker(String rendezvous, int rank) {
        return RpcOptions.builder().name("worker" + rank).rank(rank).rendezvous(rendezvous);
    }
}
