package org.gradwire.backend.netty;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Pace of the renewals of certificates with one peer. */
class RenewalTest {
    private final Renewal renewal = new Renewal();

    private static Tls.Exchanged none() {
        return new Tls.Exchanged(List.of(), List.of());
    }

    /** Check once; {@return whether an attempt was due, which is made} */
    private boolean attempts(boolean isStale, boolean isDialer) {
        boolean isDue = renewal.isDue(isStale, isDialer);
        if (isDue) {
            renewal.onAttempt();
        }
        return isDue;
    }

    private String attemptsOf(int checks, boolean isStale) {
        var made = new StringBuilder();
        for (int i = 0; i < checks; i++) {
            made.append(attempts(isStale, true) ? '+' : '-');
        }
        return made.toString();
    }

    @Test
    void attemptsWithoutSuccessBecomeRare() {
        assertEquals("--", attemptsOf(2, false));
        assertEquals("++-+--+----+----+", attemptsOf(17, true));
        renewal.accept(1, none());
        assertEquals("++-+", attemptsOf(4, true));
    }

    @Test
    void aRefusedPeerIsAskedAtEachCheckUntilItIsLost() {
        for (int i = 0; i < Renewal.GRACE_CHECKS; i++) {
            assertFalse(renewal.check(true));
            assertTrue(attempts(false, false));
        }
        assertTrue(renewal.check(true));
        assertFalse(renewal.check(false), "it has another certificate");
        assertFalse(renewal.check(true), "checks are counted again");
    }

    @Test
    void onlyADialerObeysARequest() {
        renewal.request();
        assertFalse(attempts(false, false));
        assertTrue(attempts(false, true));
        assertEquals("+-", attemptsOf(2, false), "it has not succeeded");
        renewal.request();
        assertEquals("+-", attemptsOf(2, false), "another request does not wait");
        renewal.accept(1, none());
        assertEquals("--", attemptsOf(2, false));
    }

    @Test
    void oneRunsAtATime() {
        assertEquals(1, renewal.begin());
        renewal.request();
        renewal.check(true);
        assertFalse(attempts(true, true));
        renewal.end();
        assertTrue(attempts(true, true));
        assertEquals(2, renewal.begin());
    }

    @Test
    void onlyNewerOnesCount() {
        assertFalse(renewal.isNewer(0));
        assertFalse(renewal.isNewer(Integer.MIN_VALUE));
        assertTrue(renewal.isNewer(3));
        renewal.accept(3, none());
        assertFalse(renewal.isNewer(2));
        assertFalse(renewal.isNewer(3));
        assertTrue(renewal.isNewer(4));
    }
}
