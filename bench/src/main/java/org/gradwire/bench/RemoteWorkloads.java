package org.gradwire.bench;

import org.gradwire.autograd.distributed.BackwardOptions;
import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.EnumMap;
import java.util.Map;
import java.util.Random;

/** Gradwire's workloads between two processes. */
final class RemoteWorkloads {
    private final Rpc rpc;
    private final String peer;
    private final Random random = new Random(1);

    RemoteWorkloads(Rpc rpc, String peer) {
        this.rpc = rpc;
        this.peer = peer;
    }

    Map<Metric, Workload> all() {
        Tensor t = Tensor.ones(2, 2);
        var workloads = new EnumMap<Metric, Workload>(Metric.class);
        workloads.put(Metric.SYNC_ADD, Workload.latency(() -> rpc.rpcSync(peer, Ops::add, t, t)));
        workloads.put(
                Metric.SYNC_NOOP, Workload.latency(() -> rpc.runSync(peer, PeerFunctions::noop)));
        workloads.put(Metric.SYNC_ECHO, echo(t));
        workloads.put(Metric.REMOTE_TO_HERE, remoteToHere(t));
        workloads.put(
                Metric.ASYNC_ADD, Workload.rate(() -> rpc.rpcAsync(peer, Ops::add, t, t)::join));
        workloads.put(
                Metric.ASYNC_ECHO,
                Workload.rate(() -> rpc.rpcAsync(peer, PeerFunctions::echo, t)::join));
        for (Metric metric : Metric.values()) {
            switch (metric) {
                case ECHO_64_KIB, ECHO_1_MIB, ECHO_8_MIB, ECHO_64_MIB ->
                        workloads.put(metric, Workload.latency(largeEcho(metric)));
                case DIST_CALLS_10, DIST_CALLS_100, DIST_CALLS_1000 ->
                        workloads.put(metric, callsInARow((int) metric.work()));
                default -> {}
            }
        }
        workloads.put(Metric.MIXED_NOOP, noopBesideEchoes());
        putAllocations(workloads, t);
        workloads.put(Metric.DIST_MATMUL, distributedMatmul());
        workloads.put(Metric.DIST_CHAIN, chain());
        workloads.put(Metric.DIST_PASSES, passes((int) Metric.DIST_PASSES.work()));
        return workloads;
    }

    private Workload noopBesideEchoes() {
        return BackgroundLoad.under(
                largeEcho(Metric.MIXED_NOOP), () -> rpc.runSync(peer, PeerFunctions::noop));
    }

    private void putAllocations(Map<Metric, Workload> workloads, Tensor t) {
        workloads.put(Metric.ALLOC_NOOP, allocation(() -> rpc.runSync(peer, PeerFunctions::noop)));
        workloads.put(Metric.ALLOC_ADD, allocation(() -> rpc.rpcSync(peer, Ops::add, t, t)));
        workloads.put(
                Metric.ALLOC_ECHO, allocation(() -> rpc.rpcSync(peer, PeerFunctions::echo, t)));
        workloads.put(Metric.ALLOC_ECHO_64_MIB, allocation(largeEcho(Metric.ALLOC_ECHO_64_MIB)));
    }

    private Workload allocation(Workload.Call call) {
        return Allocation.task(call, () -> rpc.rpcSync(peer, PeerFunctions::allocatedBytes));
    }

    private Workload echo(Tensor tensor) {
        return Workload.latency(() -> rpc.rpcSync(peer, PeerFunctions::echo, tensor));
    }

    private Workload.Call largeEcho(Metric metric) {
        return largeEcho(rpc, peer, metric);
    }

    /** Free results immediately, as Python does by reference counting. */
    static Workload.Call largeEcho(Rpc rpc, String peer, Metric metric) {
        Tensor tensor = Tensor.ones((int) metric.work() / Float.BYTES);
        return () -> {
            try (var scope = TensorScope.open()) {
                scope.add(rpc.rpcSync(peer, PeerFunctions::echo, tensor));
            }
        };
    }

    private Workload remoteToHere(Tensor t) {
        return Workload.latency(() -> {
            try (RRef<Tensor> sum = rpc.remote(peer, Ops::add, t, t)) {
                sum.toHere();
            }
        });
    }

    private Workload distributedMatmul() {
        Tensor a = Tensor.rand(random, 3, 3).requiresGrad(true);
        Tensor b = Tensor.rand(random, 3, 3).requiresGrad(true);
        return Workload.latency(() -> {
            try (var context = DistAutograd.context(rpc)) {
                context.backward(rpc.rpcSync(peer, Ops::matmul, a, b).sum());
                context.gradients();
            }
        });
    }

    private Workload chain() {
        Tensor weight = Tensor.rand(random, 256, 256).requiresGrad(true);
        Tensor x = Tensor.rand(random, 64, 256);
        return Workload.latency(() -> {
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

    private Workload passes(int count) {
        Tensor a = Tensor.rand(random, 3, 3).requiresGrad(true);
        Tensor b = Tensor.rand(random, 3, 3).requiresGrad(true);
        return Workload.latency(() -> {
            try (var context = DistAutograd.context(rpc)) {
                Tensor loss = rpc.rpcSync(peer, Ops::add, a, b).sum();
                for (int pass = 0; pass < count; pass++) {
                    context.backward(BackwardOptions.fast().retainGraph(), loss);
                }
            }
        });
    }

    private Workload callsInARow(int count) {
        Tensor a = Tensor.rand(random, 3, 3).requiresGrad(true);
        Tensor b = Tensor.rand(random, 3, 3).requiresGrad(true);
        return Workload.latency(() -> {
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
