package org.gradwire.backend.netty;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The certificates that this worker and a peer have shown to each other, and the state of their
 * renewal. Confined to the loop unless noted.
 *
 * <p>Its unit of time is a check of the certificates, about a second.
 */
final class Renewal {
    /** Checks for which a refused peer is kept, so that it can show another certificate. */
    static final int GRACE_CHECKS = 2;

    private static final int MOST_PAUSE_CHECKS = 4;

    private volatile Tls.Exchanged exchanged = new Tls.Exchanged(List.of(), List.of());
    private @Nullable SharedSecret secret;
    private int number; // of the last renewal
    private int refusals; // checks in sequence that have refused the peer's certificate
    private int pause; // checks between this attempt and the next one
    private int toWait; // checks
    private boolean isRunning;
    private boolean isRequested; // by the peer; until one has succeeded

    /** {@return the certificates that were shown last. Thread-safe} */
    Tls.Exchanged exchanged() {
        return exchanged;
    }

    /** {@return the key of the proofs; null while the peer has no lane with TLS} */
    @Nullable SharedSecret secret() {
        return secret;
    }

    /**
     * Set the certificates of a lane, and the secret that only its ends know. Those of the lane
     * that is opened last count.
     */
    void open(Tls.Exchanged shown, SharedSecret ofLane) {
        exchanged = shown;
        secret = ofLane;
    }

    /** {@return whether a renewal began after the last one that was accepted} */
    boolean isNewer(int other) {
        return other > number;
    }

    /**
     * Set the certificates that were shown in a renewal.
     *
     * @return whether the peer has shown other ones than before
     */
    boolean accept(int its, Tls.Exchanged shown) {
        boolean isNew = !shown.ofPeer().equals(exchanged.ofPeer());
        number = its;
        exchanged = shown;
        isRequested = false;
        pause = 0;
        toWait = 0;
        return isNew;
    }

    /** Note that the peer has asked for a renewal, which is due at the next check. */
    void request() {
        isRequested = true;
        toWait = 0;
    }

    /**
     * Count a check of the peer's certificates.
     *
     * @return whether the peer must be lost
     */
    boolean check(boolean isRefused) {
        refusals = isRefused ? refusals + 1 : 0;
        return refusals > GRACE_CHECKS;
    }

    /**
     * {@return whether a renewal should begin now}
     *
     * @param isStale whether this worker has another certificate than the one that it has shown
     * @param isDialer whether this worker begins renewals; the other end can only ask for them
     */
    boolean isDue(boolean isStale, boolean isDialer) {
        if (isRunning) {
            return false;
        }
        if (refusals > 0) {
            return true;
        }
        boolean isWanted = isStale || (isRequested && isDialer);
        if (isWanted && toWait > 0) {
            toWait--;
            return false;
        }
        return isWanted;
    }

    /**
     * Note that a renewal was begun or asked for. The pauses between those without success grow.
     */
    void onAttempt() {
        toWait = pause;
        pause = Math.clamp(2L * pause, 1, MOST_PAUSE_CHECKS);
    }

    /** {@return the number of a renewal that begins; no other begins until {@link #end}} */
    int begin() {
        isRunning = true;
        return ++number;
    }

    /** End a renewal that has failed or succeeded. */
    void end() {
        isRunning = false;
    }
}
