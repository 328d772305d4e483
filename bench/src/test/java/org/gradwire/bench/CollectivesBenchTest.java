package org.gradwire.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The report of collective operations. */
class CollectivesBenchTest {

    private static Map<String, Timing> times(long ours, long gloo, long copy) {
        var times = new LinkedHashMap<String, Timing>();
        times.put("gradwire", Timing.even(ours));
        times.put("pytorch", Timing.even(gloo));
        times.put("limit", Timing.even(copy));
        return times;
    }

    private static List<String> cells(String line) {
        return List.of(line.strip().split(" {2,}", -1));
    }

    @Test
    void rowHasTheRatioAndTheShareOfACopy() {
        String row =
                CollectivesBench.row(
                        Metric.ALL_REDUCE_1_MIB, 4, times(1_000_000, 2_500_000, 200_000));
        assertEquals(
                List.of("collective.allreduce.1MiB", "4", "1,000", "2,500", "2.50", "30 %"),
                cells(row)); // a member sends 1.5 times the tensor in the time of 5 copies
    }

    @Test
    void rowOfTwoMembersSendsTheTensorOnce() {
        String row =
                CollectivesBench.row(
                        Metric.ALL_REDUCE_1_MIB, 2, times(1_000_000, 500_000, 200_000));
        assertEquals(
                List.of("collective.allreduce.1MiB", "2", "1,000", "500", "0.50", "20 %"),
                cells(row));
    }

    @Test
    void rowWithoutPyTorchHasOurTimeOnly() {
        String row =
                CollectivesBench.row(Metric.BARRIER, 2, Map.of("gradwire", Timing.even(50_000)));
        assertEquals(List.of("collective.barrier", "2", "50.0"), cells(row));
    }

    @Test
    void callsHaveTheirTail() {
        List<String> rows =
                CollectivesBench.rows(
                        Metric.CALL_DURING_ALL_REDUCE,
                        2,
                        Map.of("gradwire", new Timing(5_000, 70_000)));
        assertEquals(
                List.of(
                        List.of("collective.call.during.allreduce.256MiB.p50", "2", "5.00"),
                        List.of("collective.call.during.allreduce.256MiB.p99", "2", "70.0")),
                rows.stream().map(CollectivesBenchTest::cells).toList());
    }

    @Test
    void otherOperationsHaveOneRow() {
        Map<String, Timing> times = times(50_000, 100_000, 20_000);
        assertEquals(
                List.of(CollectivesBench.row(Metric.BARRIER, 2, times)),
                CollectivesBench.rows(Metric.BARRIER, 2, times));
    }

    @Test
    void jsonNamesTheNumberOfMembers() {
        List<String> lines =
                CollectivesBench.json(
                        Metric.BARRIER, 4, Map.of("gradwire", new Timing(7000, 9000)));
        assertEquals(
                List.of(
                        "{\"name\":\"collective.barrier.p50.w4\",\"system\":\"gradwire\",\"value\":7.000,\"unit\":\"us\"}",
                        "{\"name\":\"collective.barrier.p99.w4\",\"system\":\"gradwire\",\"value\":9.000,\"unit\":\"us\"}"),
                lines);
    }

    @Test
    void largestTensorIsForTwoMembers() {
        assertTrue(CollectivesBench.fits(Metric.ALL_REDUCE_256_MIB, 2));
        assertFalse(CollectivesBench.fits(Metric.ALL_REDUCE_256_MIB, 4));
        assertFalse(CollectivesBench.fits(Metric.CALL_DURING_ALL_REDUCE, 4));
        assertTrue(CollectivesBench.fits(Metric.ALL_REDUCE_16_MIB, 4));
    }
}
