package org.gradwire.runtime.simulation;

import org.gradwire.spi.Message;

/**
 * The deliveries so far, as a number: when, from whom to whom, of which type. Not of which bytes:
 * failures carry stack traces, in which some frames are named differently each time.
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
