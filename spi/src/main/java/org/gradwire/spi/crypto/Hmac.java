package org.gradwire.spi.crypto;

import java.security.GeneralSecurityException;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** HMAC-SHA256 (RFC 2104). */
public final class Hmac {
    /** Length of a code in bytes. */
    public static final int BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";

    private Hmac() {}

    /**
     * {@return the code of a text: that of the concatenated parts}
     *
     * @param key not empty
     */
    public static byte[] sign(byte[] key, byte[]... parts) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            for (byte[] part : parts) {
                mac.update(part);
            }
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
