package org.gradwire.bench;

import org.gradwire.autograd.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.EnumMap;
import java.util.List;
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
            switch (figure) {
                case ECHO_64_KIB, ECHO_1_MIB, ECHO_8_MIB, ECHO_64_MIB ->
                        tasks.put(figure, Task.latency(largeEcho(figure)));
                case DIST_CALLS_10, DIST_CALLS_100, DIST_CALLS_1000 ->
                        tasks.put(figure, callsInARow((int) figure.work()));
                default -> {}
            }
        }
        tasks.put(Figure.MIXED_NOOP, noopBesideEchoes());
        putAllocations(tasks, t);
        tasks.put(Figure.DIST_MATMUL, distributedMatmul());
        tasks.put(Figure.DIST_CHAIN, chain());
        tasks.put(Figure.DIST_PASSES, passes((int) Figure.DIST_PASSES.work()));
        return tasks;
    }

    private Task noopBesideEchoes() {
        return Load.beside(
                largeEcho(Figure.MIXED_NOOP), () -> rpc.runSync(peer, PeerFunctions::noop));
    }

    private void putAllocations(Map<Figure, Task> tasks, Tensor t) {
        tasks.put(Figure.ALLOC_NOOP, allocation(() -> rpc.runSync(peer, PeerFunctions::noop)));
        tasks.put(Figure.ALLOC_ADD, allocation(() -> rpc.rpcSync(peer, Ops::add, t, t)));
        tasks.put(Figure.ALLOC_ECHO, allocation(() -> rpc.rpcSync(peer, PeerFunctions::echo, t)));
        tasks.put(Figure.ALLOC_ECHO_64_MIB, allocation(largeEcho(Figure.ALLOC_ECHO_64_MIB)));
    }

    private Task allocation(Task.Call call) {
        return Allocation.task(call, () -> rpc.rpcSync(peer, PeerFunctions::allocatedBytes));
    }

    private Task echo(Tensor tensor) {
        return Task.latency(() -> rpc.rpcSync(peer, PeerFunctions::echo, tensor));
    }

    private Task.Call largeEcho(Figure figure) {
        return largeEcho(rpc, peer, figure);
    }

    /** What comes back is given up at once, as Python does by counting references. */
    static Task.Call largeEcho(Rpc rpc, String peer, Figure figure) {
        Tensor tensor = Tensor.ones((int) figure.work() / Float.BYTES);
        return () -> {
            try (var scope = TensorScope.open()) {
                scope.add(rpc.rpcSync(peer, PeerFunctions::echo, tensor));
            }
        };
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
            try (var scope = TensorScope.open();
                    var context = DistAutograd.context(rpc)) {
                Tensor h = x;
                for (int layer = 0; layer < 4; layer++) {
                    h = scope.add(rpc.rpcSync(peer, PeerFunctions::reluLinear, h, weight));
                }
                context.backward(h.sum());
            }
        });
    }

    private Task passes(int count) {
        Tensor a = Tensor.rand(random, 3, 3).requiresGrad(true);
        Tensor b = Tensor.rand(random, 3, 3).requiresGrad(true);
        return Task.latency(() -> {
            try (var context = DistAutograd.context(rpc)) {
                Tensor loss = rpc.rpcSync(peer, Ops::add, a, b).sum();
                for (int pass = 0; pass < count; pass++) {
                    context.backward(true, List.of(loss));
                }
            }
        });
    }

    private Task callsInARow(int count) {
        Tensor a = Tensor.rand(random, 3, 3).requiresGrad(true);
        Tensor b = Tensor.rand(random, 3, 3).requiresGrad(true);
        return Task.latency(() -> {
            try (var context = DistAutograd.context(rpc)) {
                Tensor h = a;
                for (int call = 0; call < count; call++) {
                    h = rpc.rpcSync(peer, Ops::add, h, b);
                }
                context.backward(h.sum());
            }
        });
    }
}
