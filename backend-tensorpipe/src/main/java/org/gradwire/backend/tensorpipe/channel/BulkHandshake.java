package org.gradwire.backend.tensorpipe.channel;

import org.agrona.concurrent.UnsafeBuffer;
import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.auth.Proof;
import org.gradwire.backend.tensorpipe.frame.FrameHeader;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The messages of a bulk connection's handshake, in which both ends prove their identity before the
 * first request.
 *
 * <pre>
 *  server                                        reader
 *    "GWBULK" 0 0   8 bytes
 *    challenge     16 bytes            ---&gt;
 *                                      &lt;---        "GWBULK" 0 0   8 bytes
 *                                                 id             8 bytes
 *                                                 challenge     16 bytes
 *                                                 proof         32 bytes
 *    proof         32 bytes            ---&gt;
 * </pre>
 */
public final class BulkHandshake {
    private static final long MAGIC = 0x0000_4b4c_5542_5747L; // "GWBULK"
    public static final int CHALLENGE_BYTES = Long.BYTES + Nonce.BYTES;
    public static final int ANSWER_BYTES = 2 * Long.BYTES + Nonce.BYTES + Proof.BYTES;

    private BulkHandshake() {}

    /** {@return the server's first bytes} */
    static ByteBuffer challenge(Nonce challenge) {
        return buffer(CHALLENGE_BYTES)
                .putLong(MAGIC)
                .putLong(challenge.first())
                .putLong(challenge.second())
                .flip();
    }

    /** Read the server's first bytes. */
    public static Nonce decodeChallenge(ByteBuffer bytes) throws IOException {
        requireMagic(bytes);
        return new Nonce(bytes.getLong(), bytes.getLong());
    }

    /** {@return a buffer for the reader's bytes} */
    static ByteBuffer answerBuffer() {
        return buffer(ANSWER_BYTES);
    }

    /** {@return the server's last bytes} */
    static ByteBuffer confirmation(Proof proof) {
        ByteBuffer bytes = buffer(Proof.BYTES);
        proof.encode(new UnsafeBuffer(bytes), 0);
        return bytes;
    }

    /** Read the server's last bytes. */
    static Proof decodeConfirmation(ByteBuffer bytes) {
        return Proof.decode(new UnsafeBuffer(bytes), 0);
    }

    private static ByteBuffer buffer(int bytes) {
        return ByteBuffer.allocate(bytes).order(FrameHeader.ORDER);
    }

    private static void requireMagic(ByteBuffer bytes) throws IOException {
        if (bytes.getLong() != MAGIC) {
            throw new IOException("the other end does not speak this protocol");
        }
    }

    /**
     * The reader's bytes.
     *
     * @param id of the worker that reads
     * @param challenge of the reader for this connection
     */
    public record Answer(int id, Nonce challenge, Proof proof) {

        /** {@return a reader's bytes for a server's challenge} */
        public static Answer to(
                Nonce ofServer,
                Nonce ofReader,
                Nonce hello,
                BulkAuthenticator authenticator,
                Authenticator.Party server) {
            var challenges = new BulkAuthenticator.Challenges(hello, ofServer, ofReader);
            return new Answer(
                    authenticator.id(),
                    ofReader,
                    authenticator.prove(BulkAuthenticator.Role.READER, server, challenges));
        }

        public ByteBuffer encode() {
            ByteBuffer bytes = answerBuffer().putLong(MAGIC).putLong(id);
            bytes.putLong(challenge.first()).putLong(challenge.second());
            proof.encode(new UnsafeBuffer(bytes), bytes.position());
            return bytes.rewind();
        }

        static Answer decode(ByteBuffer bytes) throws IOException {
            requireMagic(bytes);
            long id = bytes.getLong();
            var challenge = new Nonce(bytes.getLong(), bytes.getLong());
            Proof proof = Proof.decode(new UnsafeBuffer(bytes), bytes.position());
            return new Answer(Math.clamp(id, -1, Integer.MAX_VALUE), challenge, proof);
        }

        /** {@return whether these bytes are from the peer} */
        boolean isOf(BulkAuthenticator authenticator, BulkPeer peer, Nonce ofServer) {
            return authenticator.accepts(
                    proof, BulkAuthenticator.Role.READER, peer.party(), challenges(peer, ofServer));
        }

        /** {@return the server's proof for the reader} */
        Proof proofOfServer(BulkAuthenticator authenticator, BulkPeer peer, Nonce ofServer) {
            return authenticator.prove(
                    BulkAuthenticator.Role.SERVER, peer.party(), challenges(peer, ofServer));
        }

        BulkAuthenticator.Challenges challenges(BulkPeer peer, Nonce ofServer) {
            return new BulkAuthenticator.Challenges(peer.challenge(), ofServer, challenge);
        }
    }
}
