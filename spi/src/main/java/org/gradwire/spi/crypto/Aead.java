package org.gradwire.spi.crypto;

import java.security.GeneralSecurityException;
import java.security.InvalidKeyException;

import javax.crypto.AEADBadTagException;
import javax.crypto.Cipher;
import javax.crypto.SecretKey;

/**
 * Seals and opens texts with one key. The nonce of a text is its number in the last bytes, combined
 * by exclusive or with the key's initialization vector, as in TLS 1.3.
 *
 * <p>The caller never seals two texts with the same number. For one thread.
 */
public final class Aead {
    /** Length of a key in bytes. */
    public static final int KEY_BYTES = 32;

    /** Length of an initialization vector in bytes. */
    public static final int IV_BYTES = 12;

    /** Length of an authentication tag in bytes. */
    public static final int TAG_BYTES = 16;

    static final int TAG_BITS = 8 * TAG_BYTES;

    private final AeadAlgorithm algorithm;
    private final SecretKey key;
    private final byte[] iv;
    private final byte[] nonce = new byte[IV_BYTES];
    private Cipher cipher;

    /** Create it with a key and its initialization vector, both copied. */
    public Aead(AeadAlgorithm algorithm, byte[] key, byte[] iv) {
        this.algorithm = algorithm;
        this.key = algorithm.key(key);
        this.iv = iv.clone();
        cipher = algorithm.newCipher();
    }

    /** A part of an array. */
    public record Part(byte[] bytes, int offset, int length) {}

    /**
     * Seal a text.
     *
     * @param associated authenticated, but neither encrypted nor copied to the output
     * @return the number of bytes written: the text's and {@link #TAG_BYTES}
     */
    public int seal(long number, Part associated, Part text, byte[] out, int outOffset) {
        try {
            begin(Cipher.ENCRYPT_MODE, number);
            cipher.updateAAD(associated.bytes, associated.offset, associated.length);
            return cipher.doFinal(text.bytes, text.offset, text.length, out, outOffset);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a text cannot be sealed", e);
        }
    }

    /**
     * Open a sealed text.
     *
     * @return its length without the tag; -1 when the tag is wrong
     */
    public int open(long number, Part associated, Part sealed, byte[] out, int outOffset) {
        if (sealed.length < TAG_BYTES) {
            return -1;
        }
        try {
            begin(Cipher.DECRYPT_MODE, number);
            cipher.updateAAD(associated.bytes, associated.offset, associated.length);
            return cipher.doFinal(sealed.bytes, sealed.offset, sealed.length, out, outOffset);
        } catch (AEADBadTagException _) {
            return -1;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("a text cannot be opened", e);
        }
    }

    private void begin(int mode, long number) throws GeneralSecurityException {
        System.arraycopy(iv, 0, nonce, 0, IV_BYTES);
        for (int i = 0; i < Long.BYTES; i++) {
            nonce[IV_BYTES - 1 - i] ^= (byte) (number >>> (8 * i));
        }
        try {
            cipher.init(mode, key, algorithm.parameters(nonce));
        } catch (InvalidKeyException e) {
            if (mode == Cipher.ENCRYPT_MODE) {
                throw e;
            }
            // ChaCha20 refuses the nonce that it had last, which a forged text may have repeated.
            cipher = algorithm.newCipher();
            cipher.init(mode, key, algorithm.parameters(nonce));
        }
    }
}
