package org.gradwire.bench;

import org.gradwire.autograd.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/** Gradwire's work between two processes. */
final class RemoteTasks {
    private final Rpc rpc;
    private final String peer;
    private final Random random = new Random(1);

    RemoteTasks(Rpc rpc, String peer) {
        this.rpc = rpc;
        this.peer = peer;
    }

    Map<Figure, Task> all() {
        Tensor t = Tensor.ones(2, 2);
        var tasks = new EnumMap<Figure, Task>(Figure.class);
        tasks.put(Figure.SYNC_ADD, Task.latency(() -> rpc.rpcSync(peer, Ops::add, t, t)));
        tasks.put(Figure.SYNC_NOOP, Task.latency(() -> rpc.runSync(peer, PeerFunctions::noop)));
        tasks.put(Figure.SYNC_ECHO, echo(t));
        tasks.put(Figure.REMOTE_TO_HERE, remoteToHere(t));
        tasks.put(Figure.ASYNC_ADD, Task.rate(() -> rpc.rpcAsync(peer, Ops::add, t, t)::join));
        tasks.put(
                Figure.ASYNC_ECHO,
                Task.rate(() -> rpc.rpcAsync(peer, PeerFunctions::echo, t)::join));
        for (Figure figure : Figure.values()) {
            if (figure.kind() == Figure.Kind.ECHO) {
                tasks.put(figure, echo(Tensor.ones((int) figure.work() / Float.BYTES)));
            }
        }
        tasks.put(Figure.DIST_MATMUL, distributedMatmul());
        tasks.put(Figure.DIST_CHAIN, chain());
        return tasks;
    }

    private Task echo(Tensor tensor) {
        return Task.latency(() -> rpc.rpcSync(peer, PeerFunctions::echo, tensor));
    }

    private Task remoteToHere(Tensor t) {
        return Task.latency(() -> {
            try (RRef<Tensor> sum = rpc.remote(peer, Ops::add, t, t)) {
                sum.toHere();
            }
        });
    }

    private Task distributedMatmul() {
        Tensor a = Tensor.rand(random, 3, 3).requiresGrad(true);
        Tensor b = Tensor.rand(random, 3, 3).requiresGrad(true);
        return Task.latency(() -> {
            try (var context = DistAutograd.context(rpc)) {
                context.backward(rpc.rpcSync(peer, Ops::matmul, a, b).sum());
                context.gradients();
            }
        });
    }

    private Task chain() {
        Tensor weight = Tensor.rand(random, 256, 256).requiresGrad(true);
        Tensor x = Tensor.rand(random, 64, 256);
        return Task.latency(() -> {
            try (var context = DistAutograd.context(rpc)) {
                Tensor h = x;
                for (int layer = 0; layer < 4; layer++) {
                    h = rpc.rpcSync(peer, PeerFunctions::reluLinear, h, weight);
                }
                context.backward(h.sum());
            }
        });
    }
}
