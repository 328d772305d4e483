package org.gradwire.backend.tensorpipe;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the heap of messages that wait to be sent: one limit for all peers together, of which the
 * messages for a single peer may take half, so that a peer that does not read leaves room for the
 * others. Thread-safe.
 */
final class SendBudget {
    private static final int SHARES = 2;

    private final long limitBytes;
    private final AtomicLong totalBytes = new AtomicLong();

    /** Create a budget of so many bytes. */
    SendBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** {@return the most bytes for all peers} */
    long limitBytes() {
        return limitBytes;
    }

    /** {@return the most bytes for one peer} */
    long peerLimitBytes() {
        return limitBytes / SHARES;
    }

    /** {@return whether a peer for which so many bytes wait may have more waiting} */
    boolean hasRoom(long waiting, long more) {
        return waiting + more <= peerLimitBytes() && totalBytes.get() + more <= limitBytes;
    }

    /** Count bytes that begin to wait; negative ones do so no more. */
    void add(long bytes) {
        totalBytes.addAndGet(bytes);
    }

    /** {@return bytes that wait for all peers} */
    long totalBytes() {
        return totalBytes.get();
    }
}
