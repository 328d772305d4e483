package org.gradwire.backend.tensorpipe;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/** What shows that a worker knows the token: 32 bytes. Comparing two takes the same time always. */
final class Proof {
    /** Bytes it takes. */
    static final int BYTES = 32;

    /** In the place of a proof when there is no token. */
    static final Proof NONE = new Proof(new byte[BYTES]);

    private final byte[] bytes;

    /** Take 32 bytes; they are not copied. */
    Proof(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException(bytes.length + " bytes; expected " + BYTES);
        }
        this.bytes = bytes;
    }

    void encode(MutableDirectBuffer buffer, int offset) {
        buffer.putBytes(offset, bytes);
    }

    static Proof decode(DirectBuffer buffer, int offset) {
        byte[] bytes = new byte[BYTES];
        buffer.getBytes(offset, bytes);
        return new Proof(bytes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Proof proof && MessageDigest.isEqual(bytes, proof.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return HexFormat.of().formatHex(bytes);
    }
}
