package org.gradwire.spi.crypto;

import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;
import java.security.KeyFactory;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.interfaces.XECPublicKey;
import java.security.spec.NamedParameterSpec;
import java.security.spec.XECPublicKeySpec;

import javax.crypto.KeyAgreement;

/** One end of a key exchange by X25519 (RFC 7748), with a new key pair. Thread-safe. */
public final class X25519 {
    /** Length of a public key in bytes. */
    public static final int KEY_BYTES = 32;

    private static final String ALGORITHM = "X25519";

    private final KeyPair keys;

    /** Create an end with a key pair of X25519. */
    public X25519(KeyPair keys) {
        this.keys = keys;
    }

    /** {@return an end with a random key pair} */
    public static X25519 random() {
        try {
            return new X25519(KeyPairGenerator.getInstance(ALGORITHM).generateKeyPair());
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    /** {@return the public key: 32 bytes, little-endian} */
    public byte[] publicKey() {
        return reversed(((XECPublicKey) keys.getPublic()).getU().toByteArray());
    }

    /**
     * {@return the secret that both ends compute, 32 bytes that are not uniform}
     *
     * @param otherPublicKey of {@link #KEY_BYTES}
     * @throws InvalidKeyException when the other key makes the secret predictable
     */
    public byte[] secretWith(byte[] otherPublicKey) throws InvalidKeyException {
        try {
            KeyAgreement agreement = KeyAgreement.getInstance(ALGORITHM);
            agreement.init(keys.getPrivate());
            agreement.doPhase(decode(otherPublicKey), true);
            return agreement.generateSecret();
        } catch (InvalidKeyException e) {
            throw e;
        } catch (GeneralSecurityException e) {
            throw missing(e);
        }
    }

    private static PublicKey decode(byte[] publicKey) throws GeneralSecurityException {
        var u = new BigInteger(1, reversed(publicKey));
        return KeyFactory.getInstance(ALGORITHM)
                .generatePublic(new XECPublicKeySpec(NamedParameterSpec.X25519, u));
    }

    /** {@return the lowest 32 bytes in the other order} */
    private static byte[] reversed(byte[] bytes) {
        byte[] result = new byte[KEY_BYTES];
        for (int i = 0; i < Math.min(bytes.length, result.length); i++) {
            result[i] = bytes[bytes.length - 1 - i];
        }
        return result;
    }

    private static IllegalStateException missing(GeneralSecurityException e) {
        return new IllegalStateException("every JDK has " + ALGORITHM, e);
    }
}
