package org.gradwire.bench.cold;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** A number that a {@link ColdRun} has; less is better. */
public enum ColdMetric {
    /** Time from the start of both processes to the first answered call. */
    START("cold.start", "ms", run -> run.startNanos() / 1e6),
    FIRST_CALL("cold.call.first", "us", run -> run.callNanos(1, 1) / 1e3),
    CALLS_TO_100("cold.calls.2to100", "us", run -> run.callNanos(2, 100) / 1e3),
    CALLS_TO_1000("cold.calls.101to1000", "us", run -> run.callNanos(101, 1000) / 1e3),
    SETTLED("cold.calls.last200", "us", run -> run.settledNanos() / 1e3),
    CALLS_UNTIL_SETTLED("cold.calls.until2x", "calls", ColdRun::callsUntilSettled),
    FIRST_PASS("cold.pass.first", "us", run -> run.passNanos(1, 1) / 1e3),
    PASSES_TO_100("cold.passes.2to100", "us", run -> run.passNanos(2, 100) / 1e3);

    private final String label;
    private final String unit;
    private final ToDoubleFunction<ColdRun> value;

    ColdMetric(String label, String unit, ToDoubleFunction<ColdRun> value) {
        this.label = label;
        this.unit = unit;
        this.value = value;
    }

    /** {@return the name in reports} */
    public String label() {
        return label;
    }

    /** {@return the unit in reports} */
    public String unit() {
        return unit;
    }

    /** {@return whether runs have this number, since a system may have no passes} */
    public boolean isIn(List<ColdRun> runs) {
        boolean isOfPasses = this == FIRST_PASS || this == PASSES_TO_100;
        return runs.stream().anyMatch(run -> !isOfPasses || run.passes().length > 0);
    }

    /** {@return the median of several runs} */
    public double median(List<ColdRun> runs) {
        double[] sorted = runs.stream().mapToDouble(value).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }

    /** {@return the maximum of several runs} */
    public double worst(List<ColdRun> runs) {
        return runs.stream().mapToDouble(value).max().orElseThrow();
    }
}
