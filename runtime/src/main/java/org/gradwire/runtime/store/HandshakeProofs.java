package org.gradwire.runtime.store;

import org.gradwire.spi.crypto.Hkdf;
import org.gradwire.spi.crypto.Hmac;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;

/**
 * The proofs of the store's handshake and the keys that follow from it. Each side proves that it
 * knows the group's token without sending it: a proof is HMAC-SHA256 of a label for its direction
 * and the {@link Transcript}. Thread-safe.
 */
final class HandshakeProofs {
    static final int NONCE_BYTES = 16;
    static final int PROOF_BYTES = Hmac.BYTES;

    private static final byte[] TOKEN_SALT = ascii("gradwire-store-5 token");
    private static final byte[] SERVER_LABEL = ascii("gradwire-store-5 server");
    private static final byte[] CLIENT_LABEL = ascii("gradwire-store-5 client");
    private static final byte[] CLIENT_TO_SERVER = ascii("gradwire-store-5 client to server");
    private static final byte[] SERVER_TO_CLIENT = ascii("gradwire-store-5 server to client");
    private static final byte[] CLIENT_IDENTITY = ascii("gradwire-store-5 client identity");
    private static final byte[] SERVER_IDENTITY = ascii("gradwire-store-5 server identity");

    private final byte[] tokenKey;
    private final SecureRandom random = new SecureRandom();

    /** Derive the key from the token, which may be empty. */
    HandshakeProofs(String token) {
        tokenKey = Hkdf.extract(TOKEN_SALT, token.getBytes(StandardCharsets.UTF_8));
    }

    byte[] nonce() {
        byte[] nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        return nonce;
    }

    byte[] ofServer(Transcript transcript) {
        return Hmac.sign(tokenKey, SERVER_LABEL, transcript.bytes());
    }

    byte[] ofClient(Transcript transcript) {
        return Hmac.sign(tokenKey, CLIENT_LABEL, transcript.bytes());
    }

    /** {@return whether two proofs are equal, in constant time} */
    static boolean areEqual(byte[] proof, byte[] expected) {
        return MessageDigest.isEqual(proof, expected);
    }

    /**
     * {@return the keys of a connection}
     *
     * @param exchanged secret of the key exchange; with the token's key as the salt, so that both
     *     are needed
     */
    SessionKeys sessionKeys(Transcript transcript, byte[] exchanged) {
        byte[] secret = Hkdf.extract(tokenKey, exchanged);
        return new SessionKeys(
                keys(secret, CLIENT_TO_SERVER, transcript),
                keys(secret, SERVER_TO_CLIENT, transcript),
                keys(secret, CLIENT_IDENTITY, transcript),
                keys(secret, SERVER_IDENTITY, transcript));
    }

    private static byte[] keys(byte[] secret, byte[] label, Transcript transcript) {
        byte[] context = transcript.bytes();
        byte[] purpose =
                ByteBuffer.allocate(label.length + context.length).put(label).put(context).array();
        return Hkdf.expand(secret, purpose, SessionKeys.BYTES);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
