package org.gradwire.bench.growth;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.List;

/** A chain of calls, each with the result of the previous one. */
final class RowBackward implements GrowthBenchmark {
    private static final int[] DEPTHS = {1, 10, 100, 1_000};

    private final Rpc rpc;
    private final String peer;

    RowBackward(Rpc rpc, String peer) {
        this.rpc = rpc;
        this.peer = peer;
    }

    @Override
    public String name() {
        return "backward.row";
    }

    @Override
    public List<Curve> measure() throws Exception {
        List<CurvePoint> points = RepeatedRun.leastMicros(DEPTHS, this::pass);
        return List.of(
                new Curve(
                        "backward over calls in a row", "calls", "us", GrowthBound.LINEAR, points));
    }

    private long pass(int depth) throws Exception {
        Tensor weight = Tensor.ones(2, 2).requiresGrad(true);
        try (var context = DistAutograd.context(rpc)) {
            Tensor sum = weight;
            for (int i = 0; i < depth; i++) {
                sum = rpc.rpcSync(peer, Ops::add, sum, weight);
            }
            Tensor loss = sum.sum();
            return RepeatedRun.nanos(() -> context.backward(loss));
        }
    }
}
