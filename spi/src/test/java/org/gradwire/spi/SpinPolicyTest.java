package org.gradwire.spi;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The decision whether a polling thread sleeps. */
class SpinPolicyTest {
    private static final long MOST = 50_000;

    private long now = 1;
    private final SpinPolicy time = new SpinPolicy(600_000, () -> now);

    @Test
    void pollingGoesOnForAMoment() {
        assertTrue(time.pause(0, MOST));
        assertTrue(time.pause(MOST - 1, MOST));
        assertFalse(time.pause(MOST, MOST));
        assertFalse(time.pause(0, 0));
    }

    @Test
    void afterAYieldInVainOnlyShortWaitsArePolledThrough() {
        waits(100_000, 50);
        assertTrue(time.isWorthwhile());
        time.yielded(3_000_000);
        assertTrue(time.isWorthwhile(), "the event may have happened meanwhile");
        time.pause(0, MOST);
        assertFalse(time.isWorthwhile());
        assertFalse(time.pause(10_000, MOST));
        waits(5_000, 50);
        assertTrue(time.isWorthwhile());
        waits(100_000, 50);
        now += 999_999;
        assertFalse(time.isWorthwhile());
        now++;
        assertTrue(time.isWorthwhile(), "a core may be free again");
    }

    @Test
    void aLongYieldThatBroughtSomethingChangesNothing() {
        waits(100_000, 50);
        time.yielded(3_000_000);
        time.waited(100_000);
        time.pause(0, MOST);
        assertTrue(time.isWorthwhile());
    }

    @Test
    void afterLongWaitsThreadsSleepAtOnce() {
        waits(3_000_000, 8);
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
        waits(3_000_000, 100);
        waits(60_000, 20); // microseconds, most of them the wake-up
        assertTrue(time.pause(10_000, MOST));
    }

    @Test
    void threadsThatPollForLessThanMostWaitsSleepAtOnce() {
        var brief = new SpinPolicy(MOST, () -> now);
        waits(brief, 100_000, 8);
        waits(100_000, 8);
        assertFalse(brief.pause(10_000, MOST), "polling would find nothing");
        assertTrue(time.pause(10_000, MOST), "these threads poll for longer");
        waits(brief, MOST, 8);
        assertTrue(brief.pause(10_000, MOST));
    }

    @Test
    void waitsThatOnlyAWakeUpMakesLongerThanPollingArePolledThrough() {
        var brief = new SpinPolicy(MOST, () -> now);
        waits(brief, 100_000, 100);
        waits(brief, MOST + 20_000, 20);
        assertTrue(brief.pause(10_000, MOST));
    }

    @Test
    void oneLongWaitAmongThoseThatPollingEndsChangesNothing() {
        var brief = new SpinPolicy(MOST, () -> now);
        waits(brief, 5_000, 8);
        waits(brief, 1_000_000_000, 1);
        assertTrue(brief.pause(10_000, MOST));
    }

    private void waits(long nanos, int times) {
        waits(time, nanos, times);
    }

    private static void waits(SpinPolicy time, long nanos, int times) {
        for (int i = 0; i < times; i++) {
            time.waited(nanos);
        }
    }
}
