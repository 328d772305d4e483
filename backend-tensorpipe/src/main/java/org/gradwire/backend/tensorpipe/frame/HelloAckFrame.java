package org.gradwire.backend.tensorpipe.frame;

import static org.gradwire.backend.tensorpipe.frame.FrameHeader.HEADER_LENGTH;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.gradwire.backend.tensorpipe.auth.Nonce;
import org.gradwire.backend.tensorpipe.auth.Proof;

/**
 * The acceptance of a {@link HelloFrame}, in the session of the HELLO's receiver, with the proof
 * that the receiver knows the token.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |  header: kind 2; flag 0x2: will read large buffers over TCP   |
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
 * @param readsOverTcp whether the sender of this frame reads large buffers of the peer over TCP
 */
public record HelloAckFrame(boolean readsOverTcp, Nonce challenge, Proof proof)
        implements ControlFrame {
    private static final int TCP_FLAG = 2;
    private static final int CHALLENGE_OFFSET = HEADER_LENGTH;
    private static final int PROOF_OFFSET = CHALLENGE_OFFSET + Nonce.BYTES;
    static final int LENGTH = PROOF_OFFSET + Proof.BYTES;

    @Override
    public int encodedLength() {
        return LENGTH;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset) {
        int flags = readsOverTcp ? TCP_FLAG : 0;
        FrameHeader.encode(buffer, offset, FrameHeader.HELLO_ACK, flags, LENGTH);
        challenge.encode(buffer, offset + CHALLENGE_OFFSET);
        proof.encode(buffer, offset + PROOF_OFFSET);
    }

    public static HelloAckFrame decode(DirectBuffer buffer, int offset, int length) {
        FrameHeader.requireLength("HELLO_ACK", length, LENGTH);
        return new HelloAckFrame(
                (FrameHeader.flags(buffer, offset) & TCP_FLAG) != 0,
                Nonce.decode(buffer, offset + CHALLENGE_OFFSET),
                Proof.decode(buffer, offset + PROOF_OFFSET));
    }
}
