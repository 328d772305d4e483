package org.gradwire.bench.growth;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.List;

/** The report of growth above its bound. */
class CurveTest {

    private static Curve curve(GrowthBound bound, CurvePoint... points) {
        return new Curve("calls", "workers", "us", bound, List.of(points));
    }

    @Test
    void linearAllowsTheGrowthOfTheSizeAndHalfMore() {
        assertFalse(
                curve(GrowthBound.LINEAR, new CurvePoint(2, 10), new CurvePoint(8, 60)).isWorse());
        assertTrue(
                curve(GrowthBound.LINEAR, new CurvePoint(2, 10), new CurvePoint(8, 61)).isWorse());
    }

    @Test
    void constantAllowsGrowthByAHalf() {
        assertFalse(
                curve(GrowthBound.CONSTANT, new CurvePoint(2, 10), new CurvePoint(8, 15))
                        .isWorse());
        assertTrue(
                curve(GrowthBound.CONSTANT, new CurvePoint(2, 10), new CurvePoint(8, 16))
                        .isWorse());
    }

    @Test
    void everyStepIsCheckedSeparately() {
        assertTrue(
                curve(
                                GrowthBound.LINEAR,
                                new CurvePoint(1, 9),
                                new CurvePoint(10, 9),
                                new CurvePoint(20, 45))
                        .isWorse());
    }

    @Test
    void growthFromSizeZeroIsNotChecked() {
        Curve curve = curve(GrowthBound.LINEAR, new CurvePoint(0, 1), new CurvePoint(8, 1000));
        assertFalse(curve.isWorse());
        assertEquals("| 8 | 1,000 | | |", curve.table().getLast());
    }

    @Test
    void tableMarksTheStepsAboveTheBound() {
        assertEquals(
                List.of(
                        "calls, at most linear:",
                        "| workers | us | growth | of the size |",
                        "|--:|--:|--:|--:|",
                        "| 2 | 10.0 | | |",
                        "| 4 | 16.0 | x 1.60 | x 2.00 |",
                        "| 8 | 160 | x 10.00 | x 2.00 | worse than linear"),
                curve(
                                GrowthBound.LINEAR,
                                new CurvePoint(2, 10),
                                new CurvePoint(4, 16),
                                new CurvePoint(8, 160))
                        .table());
    }
}
