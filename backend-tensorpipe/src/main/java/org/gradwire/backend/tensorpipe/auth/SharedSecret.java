package org.gradwire.backend.tensorpipe.auth;

import org.agrona.concurrent.UnsafeBuffer;
import org.gradwire.spi.crypto.Hmac;

import java.nio.charset.StandardCharsets;
import java.util.function.UnaryOperator;

/** The shared secret of a group, possibly none. Never shown. */
public final class SharedSecret {
    private final byte[] secret;

    /** Create a secret; an empty text means none. */
    public SharedSecret(String secret) {
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
    }

    /** Create a secret from a nonce that only the two ends of a session know. */
    SharedSecret(Nonce secret) {
        this.secret = new byte[Nonce.BYTES];
        secret.encode(new UnsafeBuffer(this.secret), 0);
    }

    public boolean isSet() {
        return secret.length > 0;
    }

    /** {@return the result of a function of the secret's bytes, which it must not keep} */
    public byte[] derive(UnaryOperator<byte[]> function) {
        return function.apply(secret);
    }

    /** {@return the HMAC-SHA256 of a text under the secret, which is set} */
    public byte[] sign(byte[] text) {
        return Hmac.sign(secret, text);
    }

    @Override
    public String toString() {
        return isSet() ? "Token(set)" : "Token(none)";
    }
}
