package org.gradwire.bench.growth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Which growths are told, and how. */
class CurveTest {

    private static Curve curve(Bound bound, Point... points) {
        return new Curve("calls", "workers", "us", bound, List.of(points));
    }

    @Test
    void linearGrowsAtMostAsTheSizeGiveOrTakeAHalf() {
        assertFalse(curve(Bound.LINEAR, new Point(2, 10), new Point(8, 60)).isWorse());
        assertTrue(curve(Bound.LINEAR, new Point(2, 10), new Point(8, 61)).isWorse());
    }

    @Test
    void constantGrowsNotAtAllGiveOrTakeAHalf() {
        assertFalse(curve(Bound.CONSTANT, new Point(2, 10), new Point(8, 15)).isWorse());
        assertTrue(curve(Bound.CONSTANT, new Point(2, 10), new Point(8, 16)).isWorse());
    }

    @Test
    void everyStepCountsForItself() {
        assertTrue(
                curve(Bound.LINEAR, new Point(1, 9), new Point(10, 9), new Point(20, 45))
                        .isWorse());
    }

    @Test
    void nothingGrowsFromASizeOfNone() {
        Curve curve = curve(Bound.LINEAR, new Point(0, 1), new Point(8, 1000));
        assertFalse(curve.isWorse());
        assertEquals("| 8 | 1,000 | | |", curve.table().getLast());
    }

    @Test
    void theTableNamesTheStepsThatAreWorse() {
        assertEquals(
                List.of(
                        "calls, at most linear:",
                        "| workers | us | growth | of the size |",
                        "|--:|--:|--:|--:|",
                        "| 2 | 10.0 | | |",
                        "| 4 | 16.0 | x 1.60 | x 2.00 |",
                        "| 8 | 160 | x 10.00 | x 2.00 | worse than linear"),
                curve(Bound.LINEAR, new Point(2, 10), new Point(4, 16), new Point(8, 160)).table());
    }
}
