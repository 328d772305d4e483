package org.gradwire.backend.tensorpipe;

import org.agrona.concurrent.UnsafeBuffer;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret of a group, or none. It signs, and shows itself to nobody. */
final class Token {
    private static final String ALGORITHM = "HmacSHA256";

    private final byte[] secret;

    /** Take a secret; an empty text is none. */
    Token(String secret) {
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
    }

    /** Take a nonce that only the two ends of a session know. */
    Token(Nonce secret) {
        this.secret = new byte[Nonce.BYTES];
        secret.encode(new UnsafeBuffer(this.secret), 0);
    }

    boolean isSet() {
        return secret.length > 0;
    }

    /** {@return the HMAC-SHA256 of a text under the secret, which is set} */
    byte[] sign(byte[] text) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(secret, ALGORITHM));
            return mac.doFinal(text);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    @Override
    public String toString() {
        return isSet() ? "Token(set)" : "Token(none)";
    }
}
