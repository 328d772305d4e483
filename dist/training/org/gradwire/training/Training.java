package org.gradwire.training;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.nn.Linear;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.optim.SGD;
import org.gradwire.rpc.GroupView;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteCallable;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.rpc.elastic.Elastic;
import org.gradwire.rpc.elastic.ElasticProgram;
import org.gradwire.spi.process.FreePort;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/**
 * The training run of the archives: two workers in one JVM that form a group, call each other and
 * train a layer, then two of a dynamic group, as the launcher starts them again after a failure. At
 * its end the JVM writes its loaded classes into an archive, and the media driver that it has
 * started, which this program waits for, its own.
 */
public final class Training {
    private static final Duration DRIVER_TIME = Duration.ofSeconds(60);

    private Training() {}

    @RemoteCallable
    public static String greet(String who) {
        return "hello " + who + " from " + Rpc.current().self().name();
    }

    @RemoteCallable
    public static Tensor twice(Tensor tensor) {
        return tensor.mul(2);
    }

    public static void main(String[] args) throws Exception {
        callEachOther();
        doElasticStep();
        awaitDrivers();
    }

    /** Wait for the media drivers that this process has started. */
    private static void awaitDrivers() throws Exception {
        for (ProcessHandle driver : ProcessHandle.current().children().toList()) {
            driver.onExit().get(DRIVER_TIME.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private static void callEachOther() throws IOException {
        String rendezvous = "tcp://127.0.0.1:" + FreePort.choose();
        var other = CompletableFuture.runAsync(() -> join(rendezvous, 1).close());
        try (Rpc rpc = join(rendezvous, 0)) {
            rpc.rpcSync("worker1", Training::greet, "you");
            rpc.rpcSync("worker1", Training::twice, Tensor.of(1f, 2f));
            try (RRef<Tensor> there = rpc.remote("worker1", Training::twice, Tensor.of(3f))) {
                there.toHere();
            }
            trainHere();
            trainThere(rpc);
        }
        other.join();
    }

    private static void trainHere() {
        var layer = new Linear(4, 2, 1);
        var optimizer = new SGD(layer.parameters(), 0.1);
        layer.forward(Tensor.ones(3, 4)).tanh().square().mean().backward();
        optimizer.step();
        optimizer.zeroGrad();
    }

    private static void trainThere(Rpc rpc) {
        Tensor inputs = Tensor.ones(3, 4);
        Tensor weights = Tensor.ones(4, 4).requiresGrad(true);
        try (var layer = RemoteModule.create(rpc, "worker1", Linear::new, 4, 2, 1L)) {
            List<RRef<Tensor>> parameters = layer.remoteParameters();
            try (var optimizer = DistributedOptimizer.create(rpc, SGD::new, parameters, 0.1);
                    var context = DistAutograd.context(rpc)) {
                Tensor hidden = rpc.rpcSync("worker1", Ops::matmul, inputs, weights);
                context.backward(layer.forward(Linear::forward, hidden).sum());
                optimizer.step(context);
                context.gradients();
            }
            parameters.forEach(RRef::close);
        }
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

    private static Rpc join(String rendezvous, int rank) {
        return Rpc.init(worker(rendezvous, rank).worldSize(2).build());
    }

    private static RpcOptions.Builder worker(String rendezvous, int rank) {
        return RpcOptions.builder().name("worker" + rank).rank(rank).rendezvous(rendezvous);
    }
}
