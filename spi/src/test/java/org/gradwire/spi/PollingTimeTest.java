package org.gradwire.spi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** When a polling thread is told to sleep. */
class PollingTimeTest {
    private static final long MOST = 50_000;
    private static final long SLICE = 3_000_000;

    private long nowNanos = Long.MAX_VALUE - SLICE; // the clock may pass the greatest number
    private long yieldNanos = 500;
    private int yields;
    private final PollingTime time =
            new PollingTime(
                    150_000,
                    () -> nowNanos,
                    () -> {
                        nowNanos += yieldNanos;
                        yields++;
                    });

    @Test
    void pollingGoesOnForAMoment() {
        assertTrue(time.pause(0, MOST));
        assertTrue(time.pause(MOST - 1, MOST));
        assertFalse(time.pause(MOST, MOST));
        assertFalse(time.pause(0, 0));
    }

    @Test
    void afterLongWaitsThreadsSleepAtOnce() {
        waits(1_000_000, 8);
        assertTrue(time.pause(0, MOST));
        assertFalse(time.pause(10_000, MOST));
    }

    @Test
    void oneLongWaitAmongShortOnesChangesNothing() {
        waits(5_000, 8);
        waits(1_000_000_000, 1);
        assertTrue(time.pause(10_000, MOST));
    }

    @Test
    void afterShortWaitsThreadsPollAgain() {
        waits(1_000_000, 100);
        waits(60_000, 20); // microseconds, of which most is waking up
        assertTrue(time.pause(10_000, MOST));
    }

    @Test
    void whereOthersTakeTheCoreThreadsSleepAtOnceForAWhile() {
        yieldNanos = SLICE;
        assertTrue(time.pause(10_000, MOST)); // what it waits for may have come meanwhile
        assertFalse(time.pause(10_000, MOST));
        nowNanos += 19_000_000;
        assertFalse(time.pause(10_000, MOST));
        assertEquals(1, yields);
        nowNanos += 1_000_000;
        yieldNanos = 500;
        assertTrue(time.pause(10_000, MOST));
        assertTrue(time.pause(10_000, MOST));
        assertEquals(3, yields);
    }

    private void waits(long nanos, int times) {
        for (int i = 0; i < times; i++) {
            time.waited(nanos);
        }
    }
}
