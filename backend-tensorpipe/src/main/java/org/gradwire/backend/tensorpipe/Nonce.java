package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.FrameHeader.ORDER;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.security.SecureRandom;

/**
 * Sixteen bytes that nobody can guess.
 *
 * @param first the first eight, as a little-endian number
 * @param second the others
 */
record Nonce(long first, long second) {
    /** In the place of a nonce where there is none. */
    static final Nonce NONE = new Nonce(0, 0);

    /** Bytes it takes. */
    static final int BYTES = 2 * Long.BYTES;

    static Nonce random(SecureRandom random) {
        return new Nonce(random.nextLong(), random.nextLong());
    }

    void encode(MutableDirectBuffer buffer, int offset) {
        buffer.putLong(offset, first, ORDER);
        buffer.putLong(offset + Long.BYTES, second, ORDER);
    }

    static Nonce decode(DirectBuffer buffer, int offset) {
        return new Nonce(buffer.getLong(offset, ORDER), buffer.getLong(offset + Long.BYTES, ORDER));
    }
}
