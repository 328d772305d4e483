package org.gradwire.backend.tensorpipe.auth;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import java.nio.ByteOrder;
import java.security.SecureRandom;

/**
 * A nonce: sixteen random bytes.
 *
 * @param first the first eight bytes, as a little-endian number
 * @param second the other eight bytes
 */
public record Nonce(long first, long second) {
    /** Absence of a nonce. */
    public static final Nonce NONE = new Nonce(0, 0);

    /** Encoded length in bytes. */
    public static final int BYTES = 2 * Long.BYTES;

    private static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    public static Nonce random(SecureRandom random) {
        return new Nonce(random.nextLong(), random.nextLong());
    }

    public void encode(MutableDirectBuffer buffer, int offset) {
        buffer.putLong(offset, first, ORDER);
        buffer.putLong(offset + Long.BYTES, second, ORDER);
    }

    public static Nonce decode(DirectBuffer buffer, int offset) {
        return new Nonce(buffer.getLong(offset, ORDER), buffer.getLong(offset + Long.BYTES, ORDER));
    }
}
