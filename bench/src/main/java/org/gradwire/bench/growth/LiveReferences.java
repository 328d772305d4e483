package org.gradwire.bench.growth;

import org.gradwire.rpc.RRef;
import org.gradwire.rpc.Rpc;

import java.util.ArrayList;
import java.util.List;

/** References that one worker holds to values of the other. */
final class LiveReferences implements Growth {
    private static final int[] COUNTS = {10_000, 100_000, 1_000_000};

    private final Rpc rpc;
    private final String peer;
    private final List<Point> ownerBytes = new ArrayList<>();
    private final List<Point> userBytes = new ArrayList<>();
    private final List<Point> makeSeconds = new ArrayList<>();
    private final List<Point> dropSeconds = new ArrayList<>();
    private final List<Point> leftBytes = new ArrayList<>();

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
        holdAndDrop(COUNTS[0]); // loads classes, and fills what has a bound
        List.of(makeSeconds, ownerBytes, userBytes, dropSeconds, leftBytes).forEach(List::clear);
        for (int count : COUNTS) {
            holdAndDrop(count);
        }
        return List.of(
                curve("to make", "s", Bound.LINEAR, makeSeconds),
                curve("on their owner", "bytes each", Bound.CONSTANT, ownerBytes),
                curve("on their user", "bytes each", Bound.CONSTANT, userBytes),
                curve("until all are dropped", "s", Bound.LINEAR, dropSeconds),
                curve("left on their owner", "MB", Bound.LINEAR, leftBytes));
    }

    private static Curve curve(String what, String unit, Bound bound, List<Point> points) {
        return new Curve("references " + what, "references", unit, bound, points);
    }

    private void holdAndDrop(int count) throws Exception {
        long ownerBefore = ownerBytes();
        long userBefore = PeerState.liveBytes();
        List<RRef<Long>> references = new ArrayList<>(count);
        long making = Repeat.nanos(() -> make(count, references));
        makeSeconds.add(new Point(count, making / 1e9));
        ownerBytes.add(new Point(count, (double) (ownerBytes() - ownerBefore) / count));
        userBytes.add(new Point(count, (double) (PeerState.liveBytes() - userBefore) / count));
        long dropping = Repeat.nanos(() -> drop(references));
        dropSeconds.add(new Point(count, dropping / 1e9));
        leftBytes.add(new Point(count, (ownerBytes() - ownerBefore) / 1e6));
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
        Figures.await(rpc, peer, "num_owner_rrefs", count);
    }
}
