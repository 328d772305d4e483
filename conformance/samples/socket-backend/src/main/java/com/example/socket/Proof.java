package com.example.socket;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A proof of knowing the group's token: HMAC-SHA256 over the handshake.
 *
 * @param token may be empty; then anyone can compute the proof
 * @param challenge nonce of the listener
 * @param nonce nonce of the dialer
 */
record Proof(String token, byte[] challenge, byte[] nonce, Identity dialer, Identity listener) {
    static final int BYTES = 32;
    private static final String ALGORITHM = "HmacSHA256";

    byte[] ofDialer() {
        return compute((byte) 'd');
    }

    byte[] ofListener() {
        return compute((byte) 'l');
    }

    private byte[] compute(byte role) {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            byte[] key = ("gradwire.socket:" + token).getBytes(StandardCharsets.UTF_8);
            mac.init(new SecretKeySpec(key, ALGORITHM));
            mac.update(role);
            mac.update(challenge);
            mac.update(nonce);
            mac.update(bytes(dialer));
            mac.update(bytes(listener));
            return mac.doFinal();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    private static byte[] bytes(Identity agent) {
        return ByteBuffer.allocate(Integer.BYTES + 2 * Long.BYTES)
                .putInt(agent.id())
                .putLong(agent.incarnation())
                .putLong(agent.mark())
                .array();
    }
}
