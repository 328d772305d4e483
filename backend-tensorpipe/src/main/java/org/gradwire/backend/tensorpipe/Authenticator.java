package org.gradwire.backend.tensorpipe;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Proves to peers that this worker knows the group's token, and checks their proofs, without the
 * token ever being sent.
 *
 * <p>A proof is the HMAC-SHA256, under the token, of a label, the group, the prover's id and
 * incarnation, the verifier's, and the verifier's challenge. It serves no other pair, direction or
 * session. It says who speaks, not what: frames are neither encrypted nor signed.
 */
final class Authenticator {
    private static final byte[] LABEL = "gradwire-tensorpipe-1".getBytes(StandardCharsets.US_ASCII);
    private static final int TEXT_BYTES = 3 * Long.BYTES + 2 * Integer.BYTES + Nonce.BYTES;

    /**
     * One side of a handshake.
     *
     * @param id of the worker
     */
    record Party(int id, long incarnation) {}

    private final Token token;
    private final long group;

    Authenticator(Token token, long group) {
        this.token = token;
        this.group = group;
    }

    boolean hasToken() {
        return token.isSet();
    }

    /** {@return what the prover answers to the challenge} */
    Proof proof(Party prover, Party verifier, Nonce challenge) {
        if (!token.isSet()) {
            return Proof.NONE;
        }
        ByteBuffer text =
                ByteBuffer.allocate(LABEL.length + TEXT_BYTES)
                        .order(FrameHeader.ORDER)
                        .put(LABEL)
                        .putLong(group)
                        .putInt(prover.id)
                        .putLong(prover.incarnation)
                        .putInt(verifier.id)
                        .putLong(verifier.incarnation)
                        .putLong(challenge.first())
                        .putLong(challenge.second());
        return new Proof(token.sign(text.array()));
    }

    /**
     * {@return the HMAC of a text under the token}
     *
     * @param secret takes the place of the token where there is none
     */
    Proof sign(byte[] text, Nonce secret) {
        Token key = token.isSet() ? token : new Token(secret);
        return new Proof(key.sign(text));
    }

    /** {@return whether the proof is the prover's} */
    boolean accepts(Proof proof, Party prover, Party verifier, Nonce challenge) {
        return proof.equals(proof(prover, verifier, challenge));
    }
}
