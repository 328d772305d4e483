package org.gradwire.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/** When the gate against regressions closes. */
class BaselineTest {
    private final Baseline baseline = new Baseline(Map.of("rpc.sync.noop.p50", 0.2));

    private static Map<Figure, Map<String, Timing>> noop(long ours, long limit) {
        return Map.of(Figure.SYNC_NOOP, timings(ours, limit));
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
    void ratioThatHalvedIsNamed() {
        assertEquals(
                List.of(
                        "rpc.sync.noop.p50 is 0.091 of its limit, less than half of the 0.200 it was"),
                baseline.regressions(noop(11_000, 1000)));
    }

    @Test
    void figureIsKeptUntilOneOfItsRatiosHasHalved() {
        assertTrue(baseline.isKept(Figure.SYNC_NOOP, timings(10_000, 1000)));
        assertFalse(baseline.isKept(Figure.SYNC_NOOP, timings(11_000, 1000)));
        assertTrue(baseline.isKept(Figure.SYNC_ADD, timings(11_000, 1000)));
    }

    @Test
    void whatIsNotMeasuredDoesNotPass() {
        var alone = Map.of(Figure.SYNC_NOOP, Map.of("gradwire", Timing.even(1)));
        assertEquals(
                List.of("rpc.sync.noop.p50 was not measured beside its limit"),
                baseline.regressions(alone));
    }

    /** Medians and rates only: a tail says more of the machine. */
    @Test
    void committedRatiosAreOfFiguresThatHaveALimit() throws IOException {
        Baseline committed = Baseline.committed();
        assertTrue(committed.has(Figure.SYNC_NOOP));
        assertTrue(committed.has(Figure.ECHO_8_MIB));
        assertFalse(committed.has(Figure.DIST_CHAIN));
    }
}
