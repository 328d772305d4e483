package org.gradwire.bench.growth;

import org.gradwire.rpc.Rpc;
import org.gradwire.tensor.Tensor;
import org.gradwire.tensor.TensorScope;

import java.util.List;

/** Echoes tensors of growing size, from zero bytes. */
final class Payloads implements GrowthBenchmark {
    private static final int[] SIZES = {0, 1 << 10, 32 << 10, 1 << 20, 32 << 20, 1 << 30};

    private final Rpc rpc;
    private final String peer;

    Payloads(Rpc rpc, String peer) {
        this.rpc = rpc;
        this.peer = peer;
    }

    @Override
    public String name() {
        return "payload";
    }

    @Override
    public List<Curve> measure() throws Exception {
        List<CurvePoint> points = RepeatedRun.leastMicros(SIZES, this::echo);
        return List.of(new Curve("payload echoed", "bytes", "us", GrowthBound.LINEAR, points));
    }

    private long echo(int bytes) throws Exception {
        try (var _ = TensorScope.open()) {
            Tensor tensor = Tensor.ones(bytes / Float.BYTES);
            return RepeatedRun.nanos(() -> rpc.rpcSync(peer, PeerState::echo, tensor));
        }
    }
}
