package org.gradwire.examples.tour;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.nn.Linear;
import org.gradwire.nn.remote.DistributedOptimizer;
import org.gradwire.nn.remote.RemoteModule;
import org.gradwire.optim.SGD;
import org.gradwire.profiler.Profile;
import org.gradwire.profiler.Profiler;
import org.gradwire.profiler.Scope;
import org.gradwire.rpc.Call;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.RemoteException;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.rpc.RpcOptions;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * {@code ./gradwire run tour}: calls, references, gradients, modules and profiles, between two
 * workers.
 */
public final class Tour {

    private Tour() {}

    public static void main(String[] args) {
        try (Rpc rpc = Rpc.init(RpcOptions.fromEnvironment())) {
            if (rpc.self().id() == 0) {
                tour(rpc, "worker1");
            }
        }
    }

    static void tour(Rpc rpc, String peer) {
        calls(rpc, peer);
        references(rpc, peer);
        gradients(rpc, peer);
        modules(rpc, peer);
        profiles(rpc, peer);
    }

    private static void calls(Rpc rpc, String peer) {
        Tensor a = Tensor.ones(2, 2);
        Tensor sum = rpc.rpcSync(peer, Ops::add, a, a);
        RpcFuture<Tensor> later = rpc.rpcAsync(peer, Jobs::scale, sum, 0.5);
        RpcFuture<Double> total = later.then(scaled -> scaled.value().sum().item());
        IO.println("asynchronously: " + total.join());

        Call<Tensor> call = Call.to(Jobs::scale).args(a).kwarg("factor", 3.0);
        IO.println("with keywords: " + rpc.withTimeout(Duration.ofSeconds(5)).rpcSync(peer, call));

        try {
            rpc.runSync(peer, Jobs::fail, "no more tea");
        } catch (RemoteException e) {
            IO.println("it failed on " + e.worker().name() + ": " + e.remoteType());
        }
    }

    private static void references(Rpc rpc, String peer) {
        try (RRef<Tensor> values = rpc.remote(peer, Jobs::scale, Tensor.ones(1000), 2.0)) {
            double mean = values.rpcSync(Jobs::mean); // runs on the owner
            IO.println("the mean of the tensor on " + values.owner().name() + ": " + mean);
            IO.println("its size, when it is fetched: " + values.toHere().numel());
        }
    }

    private static void gradients(Rpc rpc, String peer) {
        Tensor weight = Tensor.ones(3, 3).requiresGrad(true);
        try (var context = DistAutograd.context(rpc)) {
            Tensor product = rpc.rpcSync(peer, Ops::matmul, weight, weight);
            context.backward(product.sum());
            Map<Tensor, Tensor> gradients = context.gradients();
            IO.println("a gradient through " + peer + ": " + gradients.get(weight));
        }
    }

    private static void modules(Rpc rpc, String peer) {
        Tensor inputs = Tensor.ones(4, 2);
        try (var linear = RemoteModule.create(rpc, peer, Linear::new, 2, 1, 7L)) {
            List<RRef<Tensor>> parameters = linear.remoteParameters();
            try (var optimizer = DistributedOptimizer.create(rpc, SGD::new, parameters, 0.1)) {
                for (int step = 0; step < 3; step++) {
                    try (var context = DistAutograd.context(rpc)) {
                        Tensor output = linear.forward(Linear::forward, inputs);
                        Tensor loss = output.mul(output).mean();
                        IO.println("loss: " + loss.item());
                        context.backward(loss);
                        optimizer.step(context);
                    }
                }
            }
            parameters.forEach(RRef::close);
        }
    }

    private static void profiles(Rpc rpc, String peer) {
        Tensor a = Tensor.ones(2, 2);
        try (Profiler profiler = Profiler.start(rpc)) {
            try (Scope _ = Profiler.scope("step")) {
                rpc.rpcSync(peer, Jobs::scale, a, 0.5);
            }
            Profile profile = profiler.profile(); // has a table(), too, and writeChromeTrace(file)
            for (var call : profile.children(profile.named("step").getFirst())) {
                IO.println("profiled: " + call.name());
                profile.children(call).forEach(inner -> IO.println("it ran: " + inner.name()));
            }
        }
    }
}
