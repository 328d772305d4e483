package org.gradwire.bench;

import java.util.List;
import java.util.Locale;

/**
 * A reported number of a system.
 *
 * @param lessIsBetter true for a time, false for a rate
 */
record Result(String name, double value, String unit, boolean lessIsBetter) {
    private static final double NANOS_PER_MICRO = 1e3;
    private static final double NANOS_PER_SECOND = 1e9;

    static List<Result> of(Metric metric, Timing timing) {
        double nanos = (double) timing.medianNanos();
        String label = metric.label();
        return switch (metric.kind()) {
            case SHARE -> List.of(micros(label + ".each", nanos / (double) metric.work()));
            case LATENCY ->
                    List.of(
                            micros(label + ".p50", nanos),
                            micros(label + ".p99", (double) timing.tailNanos()));
            case TAIL ->
                    List.of(
                            micros(label + ".p50", nanos),
                            micros(label + ".p99.9", (double) timing.tailNanos()));
            case BYTES ->
                    List.of(
                            bytes(label + ".caller", (double) timing.medianNanos()),
                            bytes(label + ".callee", (double) timing.tailNanos()));
            case RATE -> List.of(rate(label, NANOS_PER_SECOND / nanos, "calls/s"));
            case FLOPS -> List.of(rate(label, (double) metric.work() / nanos, "GFLOP/s"));
            case ECHO ->
                    List.of(
                            micros(label + ".p50", nanos),
                            rate(
                                    label + ".rate",
                                    2.0 * (double) metric.work() / nanos,
                                    "GB/s both ways"));
        };
    }

    private static Result micros(String name, double nanos) {
        return new Result(name, nanos / NANOS_PER_MICRO, "us", true);
    }

    private static Result bytes(String name, double value) {
        return new Result(name, value, "B a call", true);
    }

    private static Result rate(String name, double value, String unit) {
        return new Result(name, value, unit, false);
    }

    /** {@return the same number with another name} */
    Result named(String other) {
        return new Result(other, value, unit, lessIsBetter);
    }

    /** {@return the ratio by which this is better than another} */
    double timesBetterThan(Result other) {
        return lessIsBetter ? other.value / value : value / other.value;
    }

    String text() {
        String format = value >= 1000 ? "%,.0f" : value >= 100 ? "%.0f" : "%.3g";
        return String.format(Locale.ROOT, format, value);
    }

    String json(String system) {
        return String.format(
                Locale.ROOT,
                "{\"name\":\"%s\",\"system\":\"%s\",\"value\":%.3f,\"unit\":\"%s\"}",
                name,
                system,
                value,
                unit);
    }
}
