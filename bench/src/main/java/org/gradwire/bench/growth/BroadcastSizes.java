package org.gradwire.bench.growth;

import java.util.ArrayList;
import java.util.List;

/**
 * A tensor of 8 MiB for each of 8 to 64 processes on this host, in a tree and in a call to each.
 */
final class BroadcastSizes implements GrowthBenchmark {
    private static final int[] SIZES = {8, 16, 32, 64};

    @Override
    public String name() {
        return "broadcast";
    }

    @Override
    public List<Curve> measure() throws Exception {
        List<CurvePoint> tree = new ArrayList<>();
        List<CurvePoint> calls = new ArrayList<>();
        for (int receivers : SIZES) {
            try (TestGroup testGroup = new TestGroup(receivers + 1, 1)) {
                TestGroup.Broadcasts broadcasts = testGroup.broadcastMicros();
                tree.add(new CurvePoint(receivers, broadcasts.tree()));
                calls.add(new CurvePoint(receivers, broadcasts.calls()));
            }
        }
        return List.of(curve("in a tree", tree), curve("in a call to each", calls));
    }

    private static Curve curve(String how, List<CurvePoint> points) {
        return new Curve(
                "broadcast of 8 MiB " + how, "receivers", "us", GrowthBound.LINEAR, points);
    }
}
