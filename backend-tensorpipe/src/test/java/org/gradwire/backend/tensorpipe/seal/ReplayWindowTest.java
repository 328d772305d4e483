package org.gradwire.backend.tensorpipe.seal;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;

class ReplayWindowTest {
    private final ReplayWindow window = new ReplayWindow();

    @Test
    void eachNumberIsPermittedOnceWithinTheWindow() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        var random = new Random(seed);
        Set<Integer> seen = new HashSet<>();
        int highest = -1;
        int repeated = 0;
        for (int i = 0; i < 200_000; i++) {
            int number = Math.max(0, highest + random.nextInt(-ReplayWindow.SIZE, 20));
            boolean isFresh = number > highest - ReplayWindow.SIZE && !seen.contains(number);
            assertEquals(isFresh, window.permits(number), number + " after " + highest);
            repeated += isFresh ? 0 : 1;
            if (isFresh && random.nextInt(5) > 0) { // the others were forged
                window.add(number);
                seen.add(number);
                highest = Math.max(highest, number);
            }
        }
        assertTrue(repeated > 1000 && seen.size() > 1000, repeated + " and " + seen.size());
    }

    @Test
    void aLeapForgetsWhatIsOlderThanTheWindow() {
        window.add(5);
        window.add(5 + 10 * ReplayWindow.SIZE);
        assertFalse(window.permits(6));
        assertFalse(window.permits(5 + 9 * ReplayWindow.SIZE));
        assertTrue(window.permits(6 + 9 * ReplayWindow.SIZE));
        window.add(Integer.MAX_VALUE);
        assertFalse(window.permits(Integer.MAX_VALUE));
        assertTrue(window.permits(Integer.MAX_VALUE - 1));
        assertFalse(window.permits(-1), "a number above the last one");
    }
}
