package org.gradwire.examples.guide;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import org.gradwire.rpc.Rpc;
import org.junit.jupiter.api.Test;

import java.util.List;

/** A program with lost messages, deterministic by its seed. */
class UnderFaultsTest {
    private static final int SIZE = 8;
    private static final int SUM = 140; // the sum of the squares of 0 to 7

    private static String trace(int seed) throws Exception {
        List<Rpc> workers = UnderFaults.join(SIZE, seed);
        try {
            for (Rpc worker : workers) {
                assertEquals(SUM, UnderFaults.sumOfSquares(worker), "seed " + seed);
            }
            return String.valueOf(workers.getFirst().debugInfo().get("simulation.trace"));
        } finally {
            workers.forEach(Rpc::shutdownNow);
        }
    }

    @Test
    void sumIsRightAndSeedReplaysTheRun() throws Exception {
        String first = trace(7);
        assertEquals(first, trace(7));
        assertNotEquals(first, trace(8));
    }
}
