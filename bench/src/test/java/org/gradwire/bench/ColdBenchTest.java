package org.gradwire.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.gradwire.bench.cold.ColdMetric;
import org.gradwire.bench.cold.ColdRun;
import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The report of fresh pairs of processes. */
class ColdBenchTest {

    /** A run of 3,000 calls of 10 us, the first of which take 100 us. */
    private static ColdRun run(long startMillis, int slowCalls, long... passMicros) {
        long[] calls = new long[3000];
        Arrays.fill(calls, 10_000);
        Arrays.fill(calls, 0, slowCalls, 100_000);
        long[] passes = new long[passMicros.length];
        Arrays.setAll(passes, i -> passMicros[i] * 1000);
        return new ColdRun(startMillis * 1_000_000, calls, passes);
    }

    private static long[] passes(long first, long others) {
        long[] micros = new long[100];
        Arrays.fill(micros, others);
        micros[0] = first;
        return micros;
    }

    private static ColdBench bench() {
        Map<String, List<ColdRun>> runs = new LinkedHashMap<>();
        runs.put(
                "gradwire",
                List.of(
                        run(500, 150, passes(900, 90)),
                        run(700, 200, passes(800, 80)),
                        run(400, 600, passes(700, 70))));
        runs.put("grpc", List.of(run(1000, 20)));
        return new ColdBench(runs, List.of(ColdMetric.values()));
    }

    private static List<String> cells(String line) {
        return List.of(line.strip().split(" {2,}", -1));
    }

    @Test
    void tableHasMediansTheWorstAndRatios() {
        List<List<String>> rows = bench().table(false).stream().map(ColdBenchTest::cells).toList();
        assertEquals(
                List.of(
                        List.of("unit", "gradwire", "worst", "grpc", "worst", "x"),
                        List.of("cold.start", "ms", "500", "700", "1,000", "1,000", "2.00"),
                        List.of("cold.call.first", "us", "100", "100", "100", "100", "1.00"),
                        List.of("cold.calls.2to100", "us", "100", "100", "10.0", "10.0", "0.10"),
                        List.of(
                                "cold.calls.101to1000",
                                "us",
                                "10.0",
                                "100",
                                "10.0",
                                "10.0",
                                "1.00"),
                        List.of("cold.calls.last200", "us", "10.0", "10.0", "10.0", "10.0", "1.00"),
                        List.of(
                                "cold.calls.until2x",
                                "calls",
                                "197",
                                "597",
                                "17.0",
                                "17.0",
                                "0.09"),
                        List.of("cold.pass.first", "us", "800", "900"),
                        List.of("cold.passes.2to100", "us", "80.0", "90.0")),
                rows);
    }

    @Test
    void markdownIsATable() {
        List<String> lines = bench().table(true);
        assertEquals("|  | unit | gradwire | worst | grpc | worst | x |", lines.get(0));
        assertEquals("|---|---|--:|--:|--:|--:|--:|", lines.get(1));
        assertEquals("| cold.passes.2to100 | us | 80.0 | 90.0 |  |  |  |", lines.getLast());
    }

    @Test
    void jsonHasEachNumberOfEachSystem() {
        List<String> lines = bench().json();
        assertEquals(2 * (8 + 6), lines.size()); // gRPC has no passes
        assertEquals(
                "{\"name\":\"cold.start.p50\",\"system\":\"gradwire\",\"value\":500.000,\"unit\":\"ms\"}",
                lines.get(0));
        assertEquals(
                "{\"name\":\"cold.start.max\",\"system\":\"gradwire\",\"value\":700.000,\"unit\":\"ms\"}",
                lines.get(1));
    }
}
