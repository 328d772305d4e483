package org.gradwire.bench.growth;

import org.gradwire.rpc.Rpc;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** All growths that are measured, one after the other. */
public final class Growths {
    private final List<Growth> all;

    /** Measure between this worker and a peer, and in worlds of processes of their own. */
    public Growths(Rpc rpc, String peer) {
        all =
                List.of(
                        new Worlds(),
                        new LiveReferences(rpc, peer),
                        new Contexts(rpc, peer),
                        new LocalBackward(),
                        new RowBackward(rpc, peer),
                        new NestedBackward(rpc, peer),
                        new Payloads(rpc, peer));
    }

    /**
     * Measure those that are wanted, and print their tables.
     *
     * @return the names of the curves that grow by more than they may
     */
    public List<String> run(Predicate<String> wanted) throws Exception {
        var worse = new ArrayList<String>();
        for (Growth growth : all) {
            if (wanted.test(growth.name())) {
                System.err.print("measuring " + growth.name() + "\r");
                System.err.flush();
                for (Curve curve : growth.measure()) {
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
