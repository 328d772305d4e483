package org.gradwire.bench.growth;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;

import java.util.ArrayList;
import java.util.List;

/** Live remote references from one worker to values of the other. */
final class LiveReferences implements GrowthBenchmark {
    private static final int[] COUNTS = {10_000, 100_000, 1_000_000};

    private final Rpc rpc;
    private final String peer;
    private final List<CurvePoint> ownerBytes = new ArrayList<>();
    private final List<CurvePoint> userBytes = new ArrayList<>();
    private final List<CurvePoint> makeSeconds = new ArrayList<>();
    private final List<CurvePoint> dropSeconds = new ArrayList<>();
    private final List<CurvePoint> leftBytes = new ArrayList<>();

    LiveReferences(Rpc rpc, String peer) {
        this.rpc = rpc;
        this.peer = peer;
    }

    @Override
    public String name() {
        return "references";
    }

    @Override
    public List<Curve> measure() throws Exception {
        holdAndDrop(COUNTS[0]); // the warm-up loads classes and fills bounded caches
        List.of(makeSeconds, ownerBytes, userBytes, dropSeconds, leftBytes).forEach(List::clear);
        for (int count : COUNTS) {
            holdAndDrop(count);
        }
        return List.of(
                curve("to make", "s", GrowthBound.LINEAR, makeSeconds),
                curve("on their owner", "bytes each", GrowthBound.CONSTANT, ownerBytes),
                curve("on their user", "bytes each", GrowthBound.CONSTANT, userBytes),
                curve("until all are dropped", "s", GrowthBound.LINEAR, dropSeconds),
                curve("left on their owner", "MB", GrowthBound.LINEAR, leftBytes));
    }

    private static Curve curve(
            String what, String unit, GrowthBound bound, List<CurvePoint> points) {
        return new Curve("references " + what, "references", unit, bound, points);
    }

    private void holdAndDrop(int count) throws Exception {
        long ownerBefore = ownerBytes();
        long userBefore = PeerState.liveBytes();
        List<RRef<Long>> references = new ArrayList<>(count);
        long making = RepeatedRun.nanos(() -> make(count, references));
        makeSeconds.add(new CurvePoint(count, making / 1e9));
        ownerBytes.add(new CurvePoint(count, (double) (ownerBytes() - ownerBefore) / count));
        userBytes.add(new CurvePoint(count, (double) (PeerState.liveBytes() - userBefore) / count));
        long dropping = RepeatedRun.nanos(() -> drop(references));
        dropSeconds.add(new CurvePoint(count, dropping / 1e9));
        leftBytes.add(new CurvePoint(count, (ownerBytes() - ownerBefore) / 1e6));
    }

    private void make(int count, List<RRef<Long>> references) throws Exception {
        for (int i = 0; i < count; i++) {
            references.add(rpc.remote(peer, PeerState::number));
        }
        await(count);
    }

    private void drop(List<RRef<Long>> references) throws Exception {
        references.forEach(RRef::close);
        references.clear();
        await(0);
    }

    private long ownerBytes() {
        return rpc.rpcSync(peer, PeerState::liveBytes);
    }

    private void await(int count) throws Exception {
        MetricPolling.await(rpc, peer, "num_owner_rrefs", count);
    }
}
