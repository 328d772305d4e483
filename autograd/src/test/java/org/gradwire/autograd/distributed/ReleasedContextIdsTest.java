package org.gradwire.autograd.distributed;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.Random;
import java.util.TreeSet;

/** The ids remembered as released, and the number of their ranges. */
class ReleasedContextIdsTest {
    private static final long CREATOR = 1L << 48;

    private final ReleasedContextIds ids = new ReleasedContextIds(100);

    @Test
    void idsInARowAreOneRangeHoweverMany() {
        for (long id = 5; id < 1_000_005; id++) {
            ids.add(id);
        }
        assertEquals(1, ids.ranges());
        assertTrue(ids.contains(5));
        assertTrue(ids.contains(1_000_004));
        assertFalse(ids.contains(4));
        assertFalse(ids.contains(1_000_005));
    }

    @Test
    void everyOrderOfIdsGivesTheRunsOfTheirSet() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        var expected = new TreeSet<Long>();
        for (int step = 0; step < 2_000; step++) {
            long id = random.nextInt(3) * CREATOR + random.nextInt(60);
            ids.add(id);
            expected.add(id);
            long starts = expected.stream().filter(each -> !expected.contains(each - 1)).count();
            assertEquals(starts, ids.ranges());
        }
        for (int creator = 0; creator < 4; creator++) {
            for (long id = creator * CREATOR; id < creator * CREATOR + 61; id++) {
                assertEquals(expected.contains(id), ids.contains(id), "id " + id);
            }
        }
    }

    @Test
    void allIdsOfACreatorUpToOneAreOneRange() {
        assertEquals(CREATOR, ids.highest(1));
        ids.add(CREATOR + 3);
        ids.add(CREATOR + 7);
        ids.add(CREATOR + 9);
        ids.add(2 * CREATOR);
        assertEquals(CREATOR + 9, ids.highest(1));
        ids.addUpTo(CREATOR + 8);
        assertEquals(2, ids.ranges());
        assertFalse(ids.contains(CREATOR - 1));
        assertTrue(ids.contains(CREATOR));
        assertTrue(ids.contains(CREATOR + 9));
        assertFalse(ids.contains(CREATOR + 10));
        ids.add(CREATOR + 20);
        ids.add(CREATOR + 21);
        ids.addUpTo(CREATOR + 20);
        assertEquals(2, ids.ranges());
        assertTrue(ids.contains(CREATOR + 15));
        assertTrue(ids.contains(CREATOR + 21));
        assertFalse(ids.contains(CREATOR + 22));
    }

    @Test
    void theLowestRangeOfTheCreatorWithTheMostIsForgottenFirst() {
        ids.add(CREATOR);
        for (int i = 0; i < 99; i++) {
            ids.add(2L * i);
        }
        assertEquals(100, ids.ranges());
        ids.add(2 * CREATOR);
        assertEquals(100, ids.ranges());
        assertFalse(ids.contains(0));
        assertTrue(ids.contains(2));
        assertTrue(ids.contains(CREATOR));
        assertTrue(ids.contains(2 * CREATOR));
    }
}
