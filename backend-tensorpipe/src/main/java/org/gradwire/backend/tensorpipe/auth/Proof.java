package org.gradwire.backend.tensorpipe.auth;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.jspecify.annotations.Nullable;

import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;

/** The proof that a worker knows the token: 32 bytes, compared in constant time. */
public final class Proof {
    /** Encoded length in bytes. */
    public static final int BYTES = 32;

    /** The proof without a token. */
    public static final Proof NONE = new Proof(new byte[BYTES]);

    private final byte[] bytes;

    /** Create a proof of 32 bytes, which are not copied. */
    public Proof(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException(bytes.length + " bytes; expected " + BYTES);
        }
        this.bytes = bytes;
    }

    public void encode(MutableDirectBuffer buffer, int offset) {
        buffer.putBytes(offset, bytes);
    }

    public static Proof decode(DirectBuffer buffer, int offset) {
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
