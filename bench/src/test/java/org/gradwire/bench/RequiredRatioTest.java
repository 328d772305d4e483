package org.gradwire.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The lines of a required ratio. */
class RequiredRatioTest {
    private static final RequiredRatio REQUIRED = new RequiredRatio("certified", "grpc-mtls", 5, 3);

    private static Map<String, Timing> timings(long ours, long theirs) {
        return Map.of(
                "gradwire", new Timing(1, 1),
                "certified", new Timing(ours, ours * 9),
                "grpc-mtls", new Timing(theirs, theirs));
    }

    @Test
    void ratioIsThatOfTheMedians() {
        var results = new TreeMap<Metric, Map<String, Timing>>();
        results.put(Metric.NET_NOOP, timings(40_000, 250_000));
        results.put(Metric.NET_ECHO_8_MIB, timings(10_000_000, 25_000_000));
        assertEquals(
                List.of(
                        "net.sync.noop.p50: certified is 6.25 times better than grpc-mtls; required: 5",
                        "net.echo.8MiB.p50: certified is 2.50 times better than grpc-mtls; required: 3"),
                REQUIRED.lines(results));
    }

    @Test
    void systemThatWasNotMeasuredHasNoRatio() {
        var results = Map.of(Metric.NET_NOOP, Map.of("certified", new Timing(1, 1)));
        assertEquals(List.of(), REQUIRED.lines(results));
    }
}
