package org.gradwire.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** Percentiles of counted times. */
class LatencyHistogramTest {
    private static final double BUCKET = 1.0 / 16;

    private final LatencyHistogram times = new LatencyHistogram();

    @Test
    void nothingHasNoPercentile() {
        assertEquals(0, times.percentile(0.999));
        assertEquals(0, times.total());
    }

    @Test
    void eachTimeIsCountedWithinABucket() {
        for (long nanos = 1; nanos < 1L << 62; nanos += 1 + nanos / 7) {
            var one = new LatencyHistogram();
            one.add(nanos);
            long percentile = one.percentile(0.5);
            assertTrue(
                    percentile <= nanos && nanos - percentile <= Math.max(7, percentile / 16),
                    nanos + " became " + percentile);
        }
    }

    @Test
    void percentilesAreThoseOfTheTimes() {
        for (int i = 1; i <= 10_000; i++) {
            times.add(i * 1000L);
        }
        assertEquals(10_000, times.total());
        assertEquals(5e6, (double) times.percentile(0.5), 5e6 * BUCKET);
        assertEquals(9.99e6, (double) times.percentile(0.999), 9.99e6 * BUCKET);
        assertEquals(1e3, (double) times.percentile(0.0001), 1e3 * BUCKET);
    }
}
