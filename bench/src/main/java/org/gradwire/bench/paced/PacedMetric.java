package org.gradwire.bench.paced;

import java.util.List;
import java.util.function.ToDoubleFunction;

/** A number that a {@link PacedRun} has. */
public enum PacedMetric {
    /** Processor time of all processes for a call. */
    PROCESSORS("cpu", "us a call", true, PacedRun::processorMicros),
    MEDIAN("p50", "us", true, run -> run.medianNanos() / 1e3),
    TAIL("p99", "us", true, run -> run.tailNanos() / 1e3),
    /** The rate that a system keeps. */
    RATE("rate", "calls/s", false, PacedRun::perSecond);

    private final String label;
    private final String unit;
    private final boolean lessIsBetter;
    private final ToDoubleFunction<PacedRun> value;

    PacedMetric(String label, String unit, boolean lessIsBetter, ToDoubleFunction<PacedRun> value) {
        this.label = label;
        this.unit = unit;
        this.lessIsBetter = lessIsBetter;
        this.value = value;
    }

    /** {@return the last part of the name in reports} */
    public String label() {
        return label;
    }

    /** {@return the unit in reports} */
    public String unit() {
        return unit;
    }

    public boolean lessIsBetter() {
        return lessIsBetter;
    }

    /** {@return the median of several turns} */
    public double median(List<PacedRun> runs) {
        double[] sorted = runs.stream().mapToDouble(value).sorted().toArray();
        return (sorted[(sorted.length - 1) / 2] + sorted[sorted.length / 2]) / 2;
    }
}
