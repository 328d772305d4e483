package org.gradwire.bench.soak;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.bench.growth.PeerState;
import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;
import org.gradwire.rpc.RpcFuture;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** The mixed work: one thread makes small calls and passes, another moves tensors. */
final class SoakTraffic {
    private static final int SMALL_CALLS = 100;
    private static final int STARTED = 16;
    private static final int LARGE = 1 << 18; // elements

    /** The released ids that a worker remembers, for messages that come late. */
    private static final int REMEMBERED_REFERENCES = 100_000;

    private static final int REMEMBERED_CONTEXTS = 10_000;

    private final Rpc rpc;
    private final String peer;
    private final Tensor small = Tensor.ones(2, 2);
    private final Tensor weight;
    private final Tensor input;
    private final Tensor large = Tensor.ones(LARGE);

    SoakTraffic(Rpc rpc, String peer) {
        this.rpc = rpc;
        this.peer = peer;
        var random = new Random(1);
        weight = Tensor.rand(random, 128, 128).requiresGrad(true);
        input = Tensor.rand(random, 32, 128);
    }

    /** Release what workers remember the most of, which grows until then. */
    void fillMemories() {
        for (int i = 0; i < REMEMBERED_REFERENCES; i++) {
            rpc.remote(peer, Ops::add, small, small).close();
        }
        for (int i = 0; i < REMEMBERED_CONTEXTS; i++) {
            pass();
        }
    }

    /** Work until a time; {@return the times of small calls} */
    LatencyHistogram run(long untilNanos) throws InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newFixedThreadPool(2)) {
            Future<LatencyHistogram> calls = threads.submit(() -> calls(untilNanos));
            Future<?> tensors = threads.submit(() -> tensors(untilNanos));
            tensors.get();
            return calls.get();
        }
    }

    private LatencyHistogram calls(long untilNanos) {
        var times = new LatencyHistogram();
        while (System.nanoTime() - untilNanos < 0) {
            for (int i = 0; i < SMALL_CALLS; i++) {
                long begin = System.nanoTime();
                rpc.rpcSync(peer, Ops::add, small, small);
                times.add(System.nanoTime() - begin);
            }
            startedCalls();
            reference();
            pass();
        }
        return times;
    }

    private void startedCalls() {
        List<RpcFuture<Long>> futures = new ArrayList<>();
        for (int i = 0; i < STARTED; i++) {
            futures.add(rpc.rpcAsync(peer, PeerState::number));
        }
        futures.forEach(RpcFuture::join);
    }

    private void reference() {
        try (RRef<Tensor> sum = rpc.remote(peer, Ops::add, small, small)) {
            sum.toHere();
        }
    }

    private void pass() {
        try (var scope = TensorScope.open();
                var context = DistAutograd.context(rpc)) {
            Tensor hidden = scope.add(rpc.rpcSync(peer, Ops::matmul, input, weight));
            context.backward(scope.add(rpc.rpcSync(peer, Ops::matmul, hidden, weight)).sum());
        }
    }

    private void tensors(long untilNanos) {
        while (System.nanoTime() - untilNanos < 0) {
            try (var scope = TensorScope.open()) {
                scope.add(rpc.rpcSync(peer, PeerState::echo, large));
            }
            var _ = rpc.rpcSync(peer, PeerState::echo, large); // a collection releases this one
        }
    }
}
