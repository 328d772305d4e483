package org.gradwire.backend.tensorpipe;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Makes and checks the proofs with which both ends of a bulk connection show who they are.
 *
 * <p>A proof is an HMAC-SHA256 over the role of its maker, the group, both workers and three
 * challenges: one of each end for this connection, and that of the server's HELLO to the reader.
 * The key is the group's token. Without a token it is the challenge of the HELLO, which only the
 * reader was sent. Thread-safe.
 */
final class BulkAuthenticator {
    private static final byte[] LABEL =
            "gradwire-tensorpipe-bulk-1".getBytes(StandardCharsets.US_ASCII);
    private static final int PARTY_BYTES = Integer.BYTES + Long.BYTES;
    private static final int TEXT_BYTES =
            LABEL.length + 1 + Long.BYTES + 2 * PARTY_BYTES + 3 * Nonce.BYTES;

    /** An end of a connection. */
    enum Role {
        /** Connects, and asks for buffers. */
        READER((byte) 0),
        /** Listens, and owns the buffers. */
        SERVER((byte) 1);

        private final byte code;

        Role(byte code) {
            this.code = code;
        }
    }

    /**
     * What both ends of one connection know.
     *
     * @param hello challenge of the server's HELLO to the reader
     * @param ofServer challenge of the server for this connection
     * @param ofReader challenge of the reader for this connection
     */
    record Challenges(Nonce hello, Nonce ofServer, Nonce ofReader) {}

    private final Identity identity;

    BulkAuthenticator(Identity identity) {
        this.identity = identity;
    }

    /** {@return the id by which the server finds the reader} */
    int id() {
        return identity.id();
    }

    /** {@return what this worker shows to a peer} */
    Proof prove(Role role, Authenticator.Party peer, Challenges challenges) {
        return proof(role, identity.party(), peer, challenges);
    }

    /** {@return whether a peer in that role has made the proof} */
    boolean accepts(Proof proof, Role role, Authenticator.Party peer, Challenges challenges) {
        return proof.equals(proof(role, peer, identity.party(), challenges));
    }

    private Proof proof(
            Role role,
            Authenticator.Party prover,
            Authenticator.Party verifier,
            Challenges challenges) {
        ByteBuffer text =
                ByteBuffer.allocate(TEXT_BYTES)
                        .order(FrameHeader.ORDER)
                        .put(LABEL)
                        .put(role.code)
                        .putLong(identity.group())
                        .putInt(prover.id())
                        .putLong(prover.incarnation())
                        .putInt(verifier.id())
                        .putLong(verifier.incarnation());
        put(text, challenges.hello);
        put(text, challenges.ofServer);
        put(text, challenges.ofReader);
        return identity.authenticator().sign(text.array(), challenges.hello);
    }

    private static void put(ByteBuffer text, Nonce nonce) {
        text.putLong(nonce.first()).putLong(nonce.second());
    }
}
