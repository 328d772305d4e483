package org.gradwire.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Conversion of times into the report. */
class ReportTest {

    private static Report report(Metric metric, long oursNanos, long theirsNanos) {
        return new Report(
                List.of("gradwire", "pytorch"),
                Map.of(
                        metric,
                        Map.of(
                                "gradwire", new Timing(oursNanos, oursNanos * 2),
                                "pytorch", new Timing(theirsNanos, theirsNanos * 2))));
    }

    @Test
    void lessTimeIsBetter() {
        assertEquals(
                List.of(
                        "|  | unit | gradwire | pytorch | x |",
                        "|---|---|--:|--:|--:|",
                        "| rpc.sync.noop.p50 | us | 20.0 | 50.0 | 2.50 |",
                        "| rpc.sync.noop.p99 | us | 40.0 | 100 | 2.50 |"),
                report(Metric.SYNC_NOOP, 20_000, 50_000).table(true));
    }

    @Test
    void higherRatesAreBetter() {
        List<String> table = report(Metric.ASYNC_ADD, 10_000, 25_000).table(true);
        assertEquals("| rpc.async64.add2x2 | calls/s | 100,000 | 40,000 | 2.50 |", table.getLast());
    }

    @Test
    void jsonHasOneObjectForEachNumberOfEachSystem() {
        List<String> lines = report(Metric.ECHO_8_MIB, 2_000_000, 4_000_000).json();
        assertEquals(4, lines.size());
        assertTrue(
                lines.contains(
                        "{\"name\":\"rpc.echo.8192KiB.p50\",\"system\":\"gradwire\",\"value\":2000.000,\"unit\":\"us\"}"),
                lines.toString());
    }

    @Test
    void medianOfRoundsIgnoresAnOutlier() {
        var rounds = List.of(new Timing(5, 50), new Timing(900, 9000), new Timing(4, 60));
        assertEquals(new Timing(5, 60), Timing.median(rounds));
        assertEquals(new Timing(4, 50), Timing.best(rounds));
    }

    @Test
    void rateKeepsAWindowOfCallsInFlightAndWaitsForAll() throws Exception {
        var underWay = new AtomicInteger();
        var most = new AtomicInteger();
        Workload workload =
                Workload.rate(() -> {
                    most.accumulateAndGet(underWay.incrementAndGet(), Math::max);
                    return underWay::decrementAndGet;
                });
        workload.measure(Duration.ofMillis(5));
        assertEquals(0, underWay.get());
        assertTrue(most.get() <= Workload.WINDOW, most.toString());
    }

    @Test
    void labelsOfMetricsAreUnique() {
        for (Metric metric : Metric.values()) {
            assertEquals(metric, Metric.labelled(metric.label()).orElseThrow());
        }
    }
}
