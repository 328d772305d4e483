package org.gradwire.bench.growth;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;

import java.util.List;

/** Nested calls between two workers: each waits for the next on its own thread. */
final class NestedBackward implements GrowthBenchmark {
    private static final int[] DEPTHS = {1, 10, 100, 1_000};

    private final Rpc rpc;
    private final String peer;

    NestedBackward(Rpc rpc, String peer) {
        this.rpc = rpc;
        this.peer = peer;
    }

    @Override
    public String name() {
        return "backward.nested";
    }

    @Override
    public List<Curve> measure() throws Exception {
        List<CurvePoint> points = RepeatedRun.leastMicros(DEPTHS, this::pass);
        return List.of(
                new Curve("backward over nested calls", "calls", "us", GrowthBound.LINEAR, points));
    }

    private long pass(int depth) throws Exception {
        Tensor weight = Tensor.ones(2, 2).requiresGrad(true);
        String self = rpc.self().name();
        try (var context = DistAutograd.context(rpc)) {
            Tensor loss =
                    rpc.rpcSync(peer, PeerState::addInTurn, weight, weight, (long) depth, self)
                            .sum();
            return RepeatedRun.nanos(() -> context.backward(loss));
        }
    }
}
