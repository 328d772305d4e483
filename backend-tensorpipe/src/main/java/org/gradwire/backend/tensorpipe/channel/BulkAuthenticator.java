package org.gradwire.backend.tensorpipe.channel;

import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Identity;
import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.auth.Proof;
import org.gradwire.backend.tensorpipe.frame.FrameHeader;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Creates and checks the proofs of identity of both ends of a bulk connection.
 *
 * <p>A proof is an HMAC-SHA256 over the prover's role, the group, both workers and three
 * challenges: one of each end for this connection, and the challenge of the server's HELLO to the
 * reader. The key is the group's token, or, without a token, the challenge of the HELLO, which only
 * the reader received. Thread-safe.
 */
public final class BulkAuthenticator {
    private static final byte[] LABEL =
            "gradwire-tensorpipe-bulk-1".getBytes(StandardCharsets.US_ASCII);
    private static final int PARTY_BYTES = Integer.BYTES + Long.BYTES;
    private static final int TEXT_BYTES =
            LABEL.length + 1 + Long.BYTES + 2 * PARTY_BYTES + 3 * Nonce.BYTES;

    /** An end of a connection. */
    enum Role {
        /** Connects and requests buffers. */
        READER((byte) 0),
        /** Listens and owns the buffers. */
        SERVER((byte) 1);

        private final byte code;

        Role(byte code) {
            this.code = code;
        }
    }

    /**
     * The challenges known to both ends of one connection.
     *
     * @param hello challenge of the server's HELLO to the reader
     * @param ofServer challenge of the server for this connection
     * @param ofReader challenge of the reader for this connection
     */
    record Challenges(Nonce hello, Nonce ofServer, Nonce ofReader) {}

    private final Identity identity;

    public BulkAuthenticator(Identity identity) {
        this.identity = identity;
    }

    /** {@return the id of this worker, by which the server finds the reader} */
    int id() {
        return identity.id();
    }

    /** {@return this worker's proof for a peer} */
    Proof prove(Role role, Authenticator.Party peer, Challenges challenges) {
        return proof(role, identity.party(), peer, challenges);
    }

    /** {@return whether a peer's proof in a role is valid} */
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
