package org.gradwire.backend.netty;

import org.gradwire.spi.crypto.Hmac;

import java.nio.charset.StandardCharsets;

/**
 * The token of a group, or none, or a secret of two workers. It computes HMACs; its bytes do not
 * leave this object.
 */
final class SharedSecret {
    /** Bytes of a signature. */
    static final int SIGNATURE_BYTES = Hmac.BYTES;

    private final byte[] secret;

    /** Create a secret from a text; an empty text means none. */
    SharedSecret(String secret) {
        this(secret.getBytes(StandardCharsets.UTF_8));
    }

    SharedSecret(byte[] secret) {
        this.secret = secret;
    }

    boolean isSet() {
        return secret.length > 0;
    }

    /** {@return this secret if it is set, otherwise one of the given bytes} */
    SharedSecret or(byte[] other) {
        return isSet() ? this : new SharedSecret(other);
    }

    /** {@return the HMAC-SHA256 of a text under the secret, which must be set} */
    byte[] sign(byte[] text) {
        return Hmac.sign(secret, text);
    }

    @Override
    public String toString() {
        return isSet() ? "SharedSecret(set)" : "SharedSecret(none)";
    }
}
