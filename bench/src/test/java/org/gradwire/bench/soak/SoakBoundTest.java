package org.gradwire.bench.soak;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.List;

/** The bounds of growth. */
class SoakBoundTest {
    private static final long MIB = 1 << 20;
    private static final SoakSample BEFORE =
            new SoakSample(1000, 20 * MIB, 300 * MIB, 60, 90, 40 * MIB, 100_000);

    @Test
    void bounds() {
        var most = new SoakSample(900, 24 * MIB, 346 * MIB, 68, 98, 44 * MIB, 150_000);
        assertEquals(List.of(), SoakBound.broken(BEFORE, most));
        assertEquals(List.of(), SoakBound.broken(most, BEFORE), "a fall is not growth");
    }

    @Test
    void eachNumberHasABound() {
        var more = new SoakSample(1000, 25 * MIB, 347 * MIB, 69, 99, 45 * MIB, 151_000);
        assertEquals(
                List.of(
                        "heap after a collection, MiB: grew from 20.0 to 25.0; at most 1.1 times and 2 more are allowed",
                        "memory, MiB: grew from 300.0 to 347.0; at most 1.1 times and 16 more are allowed",
                        "file handles: grew from 60.0 to 69.0; at most 1.0 times and 8 more are allowed",
                        "threads: grew from 90.0 to 99.0; at most 1.0 times and 8 more are allowed",
                        "/dev/shm, MiB: grew from 40.0 to 45.0; at most 1.0 times and 4 more are allowed",
                        "p99.9 of small calls, us: grew from 100.0 to 151.0; at most 1.5 times and 0 more are allowed"),
                SoakBound.broken(BEFORE, more));
    }
}
