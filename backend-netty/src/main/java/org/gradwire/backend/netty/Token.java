package org.gradwire.backend.netty;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret of a group, or none. It signs, and shows itself to nobody. */
final class Token {
    private static final String ALGORITHM = "HmacSHA256";

    /** Bytes of a signature. */
    static final int SIGNATURE_BYTES = 32;

    private final byte[] secret;

    /** Take a secret; an empty text is none. */
    Token(String secret) {
        this(secret.getBytes(StandardCharsets.UTF_8));
    }

    private Token(byte[] secret) {
        this.secret = secret;
    }

    boolean isSet() {
        return secret.length > 0;
    }

    /** {@return this one, or, where none is set, one that has these bytes as its secret} */
    Token or(byte[] other) {
        return isSet() ? this : new Token(other);
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
