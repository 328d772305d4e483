package org.gradwire.runtime.store;

import org.gradwire.spi.crypto.X25519;

import java.nio.ByteBuffer;

/**
 * The nonces and public keys of a handshake, and whether the sides have certificates. The proofs
 * and the session keys are functions of it, so none is valid for another connection.
 */
record Transcript(byte[] client, byte[] server) {
    /** Bytes of one side: its nonce, its public key, and 1 if it has a certificate. */
    static final int SIDE_BYTES = HandshakeProofs.NONCE_BYTES + X25519.KEY_BYTES + 1;

    /** {@return the bytes that one side sends} */
    static byte[] side(byte[] nonce, X25519 exchange, boolean hasCertificate) {
        return ByteBuffer.allocate(SIDE_BYTES)
                .put(nonce)
                .put(exchange.publicKey())
                .put((byte) (hasCertificate ? 1 : 0))
                .array();
    }

    boolean clientHasCertificate() {
        return client[SIDE_BYTES - 1] == 1;
    }

    boolean serverHasCertificate() {
        return server[SIDE_BYTES - 1] == 1;
    }

    byte[] clientKey() {
        return key(client);
    }

    byte[] serverKey() {
        return key(server);
    }

    private static byte[] key(byte[] side) {
        byte[] key = new byte[X25519.KEY_BYTES];
        ByteBuffer.wrap(side).get(HandshakeProofs.NONCE_BYTES, key);
        return key;
    }

    byte[] bytes() {
        return ByteBuffer.allocate(client.length + server.length).put(client).put(server).array();
    }
}
