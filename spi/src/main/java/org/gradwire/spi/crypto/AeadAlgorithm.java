package org.gradwire.spi.crypto;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.spec.AlgorithmParameterSpec;
import java.util.function.Function;
import java.util.stream.Stream;

import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.SecretKeySpec;

/**
 * An algorithm of authenticated encryption with associated data: keys of 256 bits, nonces of 96,
 * tags of 128. The order is that of preference.
 */
public enum AeadAlgorithm {
    /** AES in Galois/Counter Mode (NIST SP 800-38D). */
    AES_256_GCM(0, "AES/GCM/NoPadding", "AES", nonce -> new GCMParameterSpec(Aead.TAG_BITS, nonce)),

    /** ChaCha20 and Poly1305 (RFC 8439), for processors without AES instructions. */
    CHACHA20_POLY1305(1, "ChaCha20-Poly1305", "ChaCha20", IvParameterSpec::new);

    private static final Path PROCESSORS = Path.of("/proc/cpuinfo");

    private final byte code;
    private final String transformation;
    private final String keyAlgorithm;
    private final Function<byte[], AlgorithmParameterSpec> parameters;

    AeadAlgorithm(
            int code,
            String transformation,
            String keyAlgorithm,
            Function<byte[], AlgorithmParameterSpec> parameters) {
        this.code = (byte) code;
        this.transformation = transformation;
        this.keyAlgorithm = keyAlgorithm;
        this.parameters = parameters;
    }

    /** {@return the faster algorithm on this processor} */
    public static AeadAlgorithm preferred() {
        try (Stream<String> lines = Files.lines(PROCESSORS)) {
            boolean lacksAes =
                    lines.filter(line -> line.startsWith("flags") || line.startsWith("Features"))
                            .findFirst()
                            .filter(line -> !(line + " ").contains(" aes "))
                            .isPresent();
            return lacksAes ? CHACHA20_POLY1305 : AES_256_GCM;
        } catch (IOException _) {
            return AES_256_GCM; // not Linux
        }
    }

    /** {@return the algorithm of two workers that prefer these: AES only where both do} */
    public AeadAlgorithm with(AeadAlgorithm other) {
        return compareTo(other) >= 0 ? this : other;
    }

    /** {@return its number in encoded forms} */
    public byte code() {
        return code;
    }

    /** {@return the algorithm with a number} */
    public static AeadAlgorithm of(byte code) {
        return code == AES_256_GCM.code ? AES_256_GCM : CHACHA20_POLY1305;
    }

    Cipher newCipher() {
        try {
            return Cipher.getInstance(transformation);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + transformation, e);
        }
    }

    SecretKey key(byte[] bytes) {
        return new SecretKeySpec(bytes, keyAlgorithm);
    }

    AlgorithmParameterSpec parameters(byte[] nonce) {
        return parameters.apply(nonce);
    }
}
