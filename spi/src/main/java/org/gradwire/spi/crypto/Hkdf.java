package org.gradwire.spi.crypto;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;

import javax.crypto.KDF;
import javax.crypto.spec.HKDFParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/** HKDF-SHA256 (RFC 5869) on bytes. */
public final class Hkdf {
    /** Length of an extracted secret in bytes. */
    public static final int SECRET_BYTES = 32;

    private static final String ALGORITHM = "HKDF-SHA256";

    private Hkdf() {}

    /** {@return a secret of 32 bytes from input that need not be uniform} */
    public static byte[] extract(byte[] salt, byte[] input) {
        return derive(HKDFParameterSpec.ofExtract().addSalt(salt).addIKM(input).extractOnly());
    }

    /**
     * {@return bytes expanded from a pseudorandom key, with the purpose as info (RFC 5869, 2.3)}
     */
    public static byte[] expand(byte[] secret, byte[] purpose, int bytes) {
        return derive(
                HKDFParameterSpec.expandOnly(new SecretKeySpec(secret, ALGORITHM), purpose, bytes));
    }

    /**
     * {@return bytes expanded from a pseudorandom key, with the purpose, an ASCII text, as info}
     */
    public static byte[] expand(byte[] secret, String purpose, int bytes) {
        return expand(secret, purpose.getBytes(StandardCharsets.US_ASCII), bytes);
    }

    private static byte[] derive(AlgorithmParameterSpec parameters) {
        try {
            return KDF.getInstance(ALGORITHM).deriveData(parameters);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }
}
