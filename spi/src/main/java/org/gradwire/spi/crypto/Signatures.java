package org.gradwire.spi.crypto;

import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;

/** Signatures by the keys of certificates: ECDSA and RSA with SHA-256, or EdDSA. */
final class Signatures {

    private Signatures() {}

    static byte[] sign(PrivateKey key, byte[] text) throws GeneralSecurityException {
        Signature signing = Signature.getInstance(algorithm(key));
        signing.initSign(key);
        signing.update(text);
        return signing.sign();
    }

    static boolean verify(PublicKey key, byte[] text, byte[] signature)
            throws GeneralSecurityException {
        Signature verifying = Signature.getInstance(algorithm(key));
        verifying.initVerify(key);
        verifying.update(text);
        return verifying.verify(signature);
    }

    private static String algorithm(Key key) {
        return switch (key.getAlgorithm()) {
            case "EC" -> "SHA256withECDSA";
            case "RSA" -> "SHA256withRSA";
            default -> key.getAlgorithm();
        };
    }
}
