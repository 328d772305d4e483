package org.gradwire.bench.growth;

import org.gradwire.rpc.Rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Runs all growth benchmarks in sequence. */
public final class GrowthBenchmarks {
    private final List<GrowthBenchmark> all;

    /** Measure between this worker and a peer, and in groups of separate processes. */
    public GrowthBenchmarks(Rpc rpc, String peer) {
        all =
                List.of(
                        new GroupSizes(),
                        new BroadcastSizes(),
                        new LiveReferences(rpc, peer),
                        new Contexts(rpc, peer),
                        new LocalBackward(),
                        new RowBackward(rpc, peer),
                        new NestedBackward(rpc, peer),
                        new Payloads(rpc, peer));
    }

    /**
     * Measure the selected benchmarks and print their tables.
     *
     * @return the names of the curves that exceed their bound
     */
    public List<String> run(Predicate<String> wanted) throws Exception {
        var worse = new ArrayList<String>();
        for (GrowthBenchmark growthBenchmark : all) {
            if (wanted.test(growthBenchmark.name())) {
                System.err.print("measuring " + growthBenchmark.name() + "\r");
                System.err.flush();
                for (Curve curve : growthBenchmark.measure()) {
                    curve.table().forEach(System.out::println);
                    System.out.println();
                    if (curve.isWorse()) {
                        worse.add(curve.name() + " grows worse than " + curve.bound());
                    }
                }
            }
        }
        return worse;
    }
}
