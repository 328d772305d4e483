package org.gradwire.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** The gate against regressions. */
class BaselineTest {
    private final Baseline baseline = new Baseline(Map.of("rpc.sync.noop.p50", 0.2));

    private static Map<Metric, Map<String, Timing>> noop(long ours, long limit) {
        return Map.of(Metric.SYNC_NOOP, timings(ours, limit));
    }

    private static Map<String, Timing> timings(long ours, long limit) {
        return Map.of("gradwire", Timing.even(ours), "limit", Timing.even(limit));
    }

    @Test
    void ratioMayFallToHalf() {
        assertEquals(List.of(), baseline.regressions(noop(10_000, 1000)));
        assertEquals(List.of(), baseline.regressions(noop(1000, 1000)));
    }

    @Test
    void halvedRatioIsNamed() {
        assertEquals(
                List.of(
                        "rpc.sync.noop.p50 is 0.091 of its limit, less than half of its baseline of 0.200"),
                baseline.regressions(noop(11_000, 1000)));
    }

    @Test
    void metricIsKeptUntilOneOfItsRatiosHasHalved() {
        assertTrue(baseline.isKept(Metric.SYNC_NOOP, timings(10_000, 1000)));
        assertFalse(baseline.isKept(Metric.SYNC_NOOP, timings(11_000, 1000)));
        assertTrue(baseline.isKept(Metric.SYNC_ADD, timings(11_000, 1000)));
    }

    @Test
    void unmeasuredRatioDoesNotPass() {
        var alone = Map.of(Metric.SYNC_NOOP, Map.of("gradwire", Timing.even(1)));
        assertEquals(
                List.of("rpc.sync.noop.p50 was not measured with its limit"),
                baseline.regressions(alone));
    }

    /** Medians and rates only: a tail depends more on the machine. */
    @Test
    void committedRatiosAreOfMetricsWithALimit() throws IOException {
        Baseline committed = Baseline.committed();
        assertTrue(committed.has(Metric.SYNC_NOOP));
        assertTrue(committed.has(Metric.ECHO_8_MIB));
        assertFalse(committed.has(Metric.DIST_CHAIN));
    }
}
