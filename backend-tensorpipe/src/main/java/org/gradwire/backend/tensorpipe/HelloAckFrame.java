package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.FrameHeader.HEADER_LENGTH;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Answer to {@link HelloFrame}, on the answerer's own session: its HELLO is accepted, and this is
 * the proof that the answerer knows the token.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |  header: kind 2; flag 0x1: could read the guard               |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |            challenge of the HELLO, 16 bytes                   |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |            proof, 32 bytes; zeros without a token             |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 * </pre>
 *
 * @param canRead whether the answerer can read the memory of the HELLO's sender
 */
record HelloAckFrame(boolean canRead, Nonce challenge, Proof proof) implements ControlFrame {
    private static final int READ_FLAG = 1;
    private static final int CHALLENGE_OFFSET = HEADER_LENGTH;
    private static final int PROOF_OFFSET = CHALLENGE_OFFSET + Nonce.BYTES;
    static final int LENGTH = PROOF_OFFSET + Proof.BYTES;

    @Override
    public int encodedLength() {
        return LENGTH;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset) {
        FrameHeader.encode(buffer, offset, FrameHeader.HELLO_ACK, canRead ? READ_FLAG : 0, LENGTH);
        challenge.encode(buffer, offset + CHALLENGE_OFFSET);
        proof.encode(buffer, offset + PROOF_OFFSET);
    }

    static HelloAckFrame decode(DirectBuffer buffer, int offset, int length) {
        FrameHeader.requireLength("HELLO_ACK", length, LENGTH);
        return new HelloAckFrame(
                (FrameHeader.flags(buffer, offset) & READ_FLAG) != 0,
                Nonce.decode(buffer, offset + CHALLENGE_OFFSET),
                Proof.decode(buffer, offset + PROOF_OFFSET));
    }
}
