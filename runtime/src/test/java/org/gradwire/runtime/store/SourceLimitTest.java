package org.gradwire.runtime.store;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** One host cannot exhaust the limit of all. */
class SourceLimitTest {
    private final SourceLimit limit = new SourceLimit(4);

    @Test
    void aSourceHoldsAtMostHalf() {
        assertTrue(limit.enter("10.0.0.1"));
        assertTrue(limit.enter("10.0.0.1"));
        assertFalse(limit.enter("10.0.0.1"));
        assertTrue(limit.enter("10.0.0.2"));
        limit.leave("10.0.0.1");
        assertTrue(limit.enter("10.0.0.1"));
    }

    @Test
    void allSourcesHoldAtMostTheLimit() {
        for (int host = 0; host < 4; host++) {
            assertTrue(limit.enter("10.0.0." + host));
        }
        assertFalse(limit.enter("10.0.0.9"));
        limit.leave("10.0.0.0");
        assertTrue(limit.enter("10.0.0.9"));
    }

    @Test
    void aWholeGroupMayBeOnTheHostOfTheStore() {
        for (int worker = 0; worker < 4; worker++) {
            assertTrue(limit.enter(PendingHandshakes.LOOPBACK));
        }
        assertFalse(limit.enter(PendingHandshakes.LOOPBACK));
    }
}
