package org.gradwire.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.bench.paced.PacedRun;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The report of paced calls. */
class PacedReportTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    /** A turn of 10,000 calls. */
    private static PacedRun turn(long wallMillis, long processorMillis, long micros) {
        return PacedRun.of(
                SECOND,
                Duration.ofMillis(wallMillis),
                Duration.ofMillis(processorMillis),
                micros * 1000,
                micros * 3000);
    }

    private static PacedReport report() {
        Map<String, List<PacedRun>> turns = new LinkedHashMap<>();
        turns.put(
                "gradwire", List.of(turn(1000, 300, 20), turn(1000, 400, 30), turn(1000, 900, 40)));
        turns.put("pytorch", List.of(turn(2000, 3000, 300)));
        turns.put("grpc", List.of(turn(1000, 1000, 150)));
        Map<Metric, Map<String, List<PacedRun>>> runs = new TreeMap<>();
        runs.put(Metric.PACED_SYNC, turns);
        return new PacedReport(runs);
    }

    @Test
    void rowsHaveMediansAndRatios() {
        assertEquals(
                List.of(
                        List.of("", "unit", "gradwire", "pytorch", "x", "grpc", "x"),
                        List.of(
                                "paced.sync4.cpu",
                                "us a call",
                                "40.0",
                                "300",
                                "7.50",
                                "100",
                                "2.50"),
                        List.of("paced.sync4.p50", "us", "30.0", "300", "10.00", "150", "5.00"),
                        List.of("paced.sync4.p99", "us", "90.0", "900", "10.00", "450", "5.00"),
                        List.of(
                                "paced.sync4.rate",
                                "calls/s",
                                "10,000",
                                "5,000",
                                "2.00",
                                "10,000",
                                "1.00")),
                report().rows());
    }

    @Test
    void requiredRatioIsThatToTheBestOtherSystem() {
        assertEquals(
                List.of(
                        "paced.sync4: the best other system takes 2.50 times as much processor time; required: 2"),
                report().required());
    }

    @Test
    void oneSystemHasNoRatio() {
        Map<Metric, Map<String, List<PacedRun>>> runs = new TreeMap<>();
        runs.put(Metric.PACED_ASYNC, Map.of("grpc", List.of(turn(1000, 1000, 150))));
        var report = new PacedReport(runs);
        assertEquals(List.of(), report.required());
        assertEquals(List.of("", "unit", "grpc", "x"), report.rows().getFirst());
        assertEquals(List.of("paced.async1.cpu", "us a call", "100", ""), report.rows().get(1));
    }

    @Test
    void jsonHasEachNumberOfEachSystem() {
        List<String> lines = report().json();
        assertEquals(3 * 4, lines.size());
        assertEquals(
                "{\"name\":\"paced.sync4.cpu\",\"system\":\"gradwire\",\"value\":40.000,\"unit\":\"us a call\"}",
                lines.getFirst());
    }
}
