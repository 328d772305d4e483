package org.gradwire.backend.tensorpipe.auth;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * Proves to peers that this worker knows the group's token, and checks their proofs. The token is
 * never sent.
 *
 * <p>A proof is the HMAC-SHA256, under the token, of a label, the group, the prover's id and
 * incarnation, the verifier's, and the verifier's challenge. It is valid only for that pair,
 * direction and session. It authenticates the sender, not the content: frames are neither encrypted
 * nor signed.
 */
public final class Authenticator {
    private static final byte[] LABEL = "gradwire-tensorpipe-1".getBytes(StandardCharsets.US_ASCII);
    private static final int TEXT_BYTES = 3 * Long.BYTES + 2 * Integer.BYTES + Nonce.BYTES;

    /**
     * One end of a handshake.
     *
     * @param id of the worker
     */
    public record Party(int id, long incarnation) {}

    private final SharedSecret sharedSecret;
    private final long group;

    public Authenticator(SharedSecret sharedSecret, long group) {
        this.sharedSecret = sharedSecret;
        this.group = group;
    }

    public boolean hasToken() {
        return sharedSecret.isSet();
    }

    /** {@return the prover's proof for a challenge} */
    public Proof proof(Party prover, Party verifier, Nonce challenge) {
        if (!sharedSecret.isSet()) {
            return Proof.NONE;
        }
        ByteBuffer text =
                ByteBuffer.allocate(LABEL.length + TEXT_BYTES)
                        .order(ByteOrder.LITTLE_ENDIAN)
                        .put(LABEL)
                        .putLong(group)
                        .putInt(prover.id)
                        .putLong(prover.incarnation)
                        .putInt(verifier.id)
                        .putLong(verifier.incarnation)
                        .putLong(challenge.first())
                        .putLong(challenge.second());
        return new Proof(sharedSecret.sign(text.array()));
    }

    /**
     * {@return the HMAC of a text under the token}
     *
     * @param secret used instead of the token if there is none
     */
    public Proof sign(byte[] text, Nonce secret) {
        SharedSecret key = sharedSecret.isSet() ? sharedSecret : new SharedSecret(secret);
        return new Proof(key.sign(text));
    }

    /** {@return whether a proof is valid} */
    public boolean accepts(Proof proof, Party prover, Party verifier, Nonce challenge) {
        return proof.equals(proof(prover, verifier, challenge));
    }
}
