package org.gradwire.runtime.store;

import org.gradwire.spi.crypto.X25519;

import java.nio.ByteBuffer;

/**
 * The nonces and public keys of a greeting. The proofs and the session keys are functions of it, so
 * none is valid for another connection.
 */
record Transcript(byte[] client, byte[] server) {
    /** Bytes of one side: its nonce, then its public key. */
    static final int SIDE_BYTES = GreetingProofs.NONCE_BYTES + X25519.KEY_BYTES;

    /** {@return the bytes that one side sends} */
    static byte[] side(byte[] nonce, X25519 exchange) {
        return ByteBuffer.allocate(SIDE_BYTES).put(nonce).put(exchange.publicKey()).array();
    }

    byte[] clientKey() {
        return key(client);
    }

    byte[] serverKey() {
        return key(server);
    }

    private static byte[] key(byte[] side) {
        byte[] key = new byte[X25519.KEY_BYTES];
        ByteBuffer.wrap(side).get(GreetingProofs.NONCE_BYTES, key);
        return key;
    }

    byte[] bytes() {
        return ByteBuffer.allocate(client.length + server.length).put(client).put(server).array();
    }
}
