package org.gradwire.profiler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** The table and the trace of a profile. */
class ProfileTest {
    private static final Instant START = Instant.parse("2025-11-21T14:00:00Z");
    private static final String ODD = "a \"scope\" \\ \n\t\u0001 \u00e9 \ud83d\ude00 \ud800";

    private static ProfilerEvent event(
            long id, long parent, String name, long startNanos, long nanos, int node) {
        return new ProfilerEvent(
                id,
                parent,
                name,
                START.plusNanos(startNanos),
                Duration.ofNanos(nanos),
                node,
                40 + node,
                node != 0,
                name.startsWith("rpc_"),
                name.equals("aten::add") ? List.of(List.of(2, 3), List.of()) : List.of(),
                name.equals("aten::add") ? 24 : 0);
    }

    private static Profile profile() {
        return new Profile(
                List.of(
                        event(4, 3, "aten::add", 1500, 700, 1),
                        event(1, 0, ODD, 0, 20_000_000, 0),
                        event(2, 1, "aten::add", 500, 300, 0),
                        event(3, 1, "rpc_async#f(a -> b)", 1000, 5_000_123, 0)),
                0);
    }

    @Test
    void theTableBeginsWithWhatTookLongest() {
        String table = new Profile(profile().events().subList(1, 4), 0).table();
        assertEquals(
                """
                name                    calls         total          mean           own   node
                rpc_async#f(a -> b)         1     5000.1 us     5000.1 us     4999.4 us      0
                aten::add                   2        1.0 us        0.5 us        1.0 us      *
                """,
                table);
        assertTrue(profile().table().contains("     20.000 ms     20.000 ms     15.000 ms  "));
        assertEquals(1, new Profile(List.of(), 0).table().lines().count());
    }

    @Test
    void theTraceIsReadBackAsItWasWritten(@TempDir Path folder) throws IOException {
        Path file = folder.resolve("trace.json");
        profile().writeChromeTrace(file);
        var trace = (Map<?, ?>) Json.parse(Files.readString(file));
        List<?> lines = assertInstanceOf(List.class, trace.get("traceEvents"));
        assertEquals(
                List.of("M", "M", "X", "X", "b", "e", "X"),
                lines.stream().map(line -> ((Map<?, ?>) line).get("ph")).toList());
        assertEquals(
                Map.of(
                        "ph",
                        "M",
                        "name",
                        "process_name",
                        "pid",
                        1.0,
                        "args",
                        Map.of("name", "worker 1")),
                lines.get(1));
        assertEquals(ODD, ((Map<?, ?>) lines.get(2)).get("name"));
        assertEquals(
                Map.of(
                        "ph",
                        "e",
                        "name",
                        "rpc_async#f(a -> b)",
                        "cat",
                        "local",
                        "pid",
                        0.0,
                        "tid",
                        40.0,
                        "ts",
                        5001.123,
                        "id",
                        3.0,
                        "args",
                        Map.of("id", 3.0, "parent", 1.0)),
                lines.get(5));
        assertEquals(
                Map.of(
                        "ph",
                        "X",
                        "name",
                        "aten::add",
                        "cat",
                        "remote",
                        "pid",
                        1.0,
                        "tid",
                        41.0,
                        "ts",
                        1.5,
                        "dur",
                        0.7,
                        "args",
                        Map.of(
                                "id",
                                4.0,
                                "parent",
                                3.0,
                                "shapes",
                                List.of(List.of(2.0, 3.0), List.of()),
                                "allocated bytes",
                                24.0)),
                lines.get(6));
    }

    @Test
    void aProfileWithoutEventsIsATraceWithoutLines() {
        assertEquals(
                Map.of("displayTimeUnit", "ns", "traceEvents", List.of()),
                Json.parse(new Profile(List.of(), 0).chromeTrace()));
    }
}
