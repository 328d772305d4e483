package org.gradwire.runtime.store;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;

import javax.crypto.KDF;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.HKDFParameterSpec;

/**
 * The proofs of the store's greeting: each side shows that it knows the group's token without
 * sending it. A proof is HMAC-SHA256 of a label for its direction and both nonces, so it is valid
 * for one connection and one direction. Thread-safe.
 */
final class GreetingProofs {
    static final int NONCE_BYTES = 16;
    static final int PROOF_BYTES = 32;

    private static final String ALGORITHM = "HmacSHA256";
    private static final byte[] KEY_INFO = ascii("gradwire-store-2 key");
    private static final byte[] SERVER_LABEL = ascii("gradwire-store-2 server");
    private static final byte[] CLIENT_LABEL = ascii("gradwire-store-2 client");

    private final SecretKey key;
    private final SecureRandom random = new SecureRandom();

    /** Derive the key by HKDF-SHA256 from the token, which may be empty. */
    GreetingProofs(String token) {
        try {
            key =
                    KDF.getInstance("HKDF-SHA256")
                            .deriveKey(
                                    ALGORITHM,
                                    HKDFParameterSpec.ofExtract()
                                            .addIKM(token.getBytes(StandardCharsets.UTF_8))
                                            .thenExpand(KEY_INFO, PROOF_BYTES));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK 25 has HKDF-SHA256", e);
        }
    }

    byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }

    byte[] ofServer(byte[] clientNonce, byte[] serverNonce) {
        return proof(SERVER_LABEL, clientNonce, serverNonce);
    }

    byte[] ofClient(byte[] clientNonce, byte[] serverNonce) {
        return proof(CLIENT_LABEL, clientNonce, serverNonce);
    }

    /** {@return whether two proofs are equal, in constant time} */
    static boolean areEqual(byte[] proof, byte[] expected) {
        return MessageDigest.isEqual(proof, expected);
    }

    private byte[] proof(byte[] label, byte[] clientNonce, byte[] serverNonce) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            mac.update(label);
            mac.update(clientNonce);
            return mac.doFinal(serverNonce);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
