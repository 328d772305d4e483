package org.gradwire.runtime.simulation;

import org.gradwire.spi.Message;

/**
 * A hash of the deliveries so far: their times, senders, receivers and types. Contents are
 * excluded: failures contain stack traces, in which some frames have random names.
 */
final class Trace {
    private static final long PRIME = 0x100000001B3L; // of FNV-1a

    private long hash = 0xCBF29CE484222325L;
    private long length;

    void add(long nanos, int from, int to, Message message) {
        length++;
        mix(nanos);
        mix(from);
        mix(to);
        mix(message.type());
    }

    private void mix(long value) {
        hash = (hash ^ value) * PRIME;
    }

    long hash() {
        return hash;
    }

    long length() {
        return length;
    }
}
