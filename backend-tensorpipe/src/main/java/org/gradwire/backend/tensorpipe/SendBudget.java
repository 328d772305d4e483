package org.gradwire.backend.tensorpipe;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Limits the heap of messages that wait to be sent: one limit for all peers together, of which the
 * messages to a single peer may take half, so that a peer that does not read leaves room for the
 * others. Thread-safe.
 */
final class SendBudget {
    private static final int SHARES = 2;

    private final long limitBytes;
    private final AtomicLong totalBytes = new AtomicLong();

    /** Create a budget with a limit in bytes. */
    SendBudget(long limitBytes) {
        this.limitBytes = limitBytes;
    }

    /** {@return the limit for all peers together} */
    long limitBytes() {
        return limitBytes;
    }

    /** {@return the limit for one peer} */
    long peerLimitBytes() {
        return limitBytes / SHARES;
    }

    /** {@return whether more bytes may wait for a peer} */
    boolean hasRoom(long waiting, long more) {
        return waiting + more <= peerLimitBytes() && totalBytes.get() + more <= limitBytes;
    }

    /** Count bytes that begin to wait, or cease to (negative). */
    void add(long bytes) {
        totalBytes.addAndGet(bytes);
    }

    /** {@return the bytes that wait for all peers} */
    long totalBytes() {
        return totalBytes.get();
    }
}
