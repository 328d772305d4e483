package org.gradwire.bench.growth;

import org.gradwire.autograd.distributed.DistAutograd;
import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Ops;
import org.gradwire.tensor.Tensor;

import java.util.ArrayList;
import java.util.List;

/** Opens autograd contexts, uses each for a call and closes them. */
final class Contexts implements GrowthBenchmark {
    private static final int[] COUNTS = {1_000, 10_000, 100_000};
    private static final int WARM_UP = 30_000;

    private final Rpc rpc;
    private final String peer;
    private final Tensor tensor = Tensor.ones(2, 2).requiresGrad(true);

    Contexts(Rpc rpc, String peer) {
        this.rpc = rpc;
        this.peer = peer;
    }

    @Override
    public String name() {
        return "contexts";
    }

    @Override
    public List<Curve> measure() throws Exception {
        openAndClose(WARM_UP);
        List<CurvePoint> here = new ArrayList<>();
        List<CurvePoint> there = new ArrayList<>();
        int done = 0;
        for (int count : COUNTS) {
            openAndClose(count - done);
            done = count;
            here.add(new CurvePoint(count, liveMegabytes(rpc.self().name())));
            there.add(new CurvePoint(count, liveMegabytes(peer)));
        }
        return List.of(
                curve("live heap where they were opened", here),
                curve("live heap where they called", there));
    }

    private double liveMegabytes(String worker) throws Exception {
        MetricPolling.await(rpc, worker, "num_autograd_contexts", 0);
        return rpc.rpcSync(worker, PeerState::liveBytes) / 1e6;
    }

    private static Curve curve(String what, List<CurvePoint> points) {
        return new Curve(
                "contexts closed, " + what, "contexts", "MB", GrowthBound.CONSTANT, points);
    }

    private void openAndClose(int count) {
        for (int i = 0; i < count; i++) {
            try (var _ = DistAutograd.context(rpc)) {
                rpc.rpcSync(peer, Ops::add, tensor, tensor);
            }
        }
    }
}
