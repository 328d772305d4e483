package org.gradwire.backend.tensorpipe.frame;

import static org.gradwire.backend.tensorpipe.frame.FrameHeader.HEADER_LENGTH;
import static org.gradwire.backend.tensorpipe.frame.FrameHeader.ORDER;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.gradwire.backend.tensorpipe.auth.Authenticator;
import org.gradwire.backend.tensorpipe.auth.Nonce;

/**
 * The first frame of a session, from a worker to each of its peers: identifies both.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |  header: kind 1; flag 0x1: a token is set; 0x2: can ring      |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                            group                              |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                    sender's incarnation                       |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                   receiver's incarnation                      |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                         sender's id                           |
 *  +---------------------------------------------------------------+
 *  |                        receiver's id                          |
 *  +---------------------------------------------------------------+
 *  |     memory proof: 16 random bytes that the receiver must      |
 *  |   place in its memory; zeros: the sender will not read it     |
 *  +---------------------------------------------------------------+
 *  |          challenge: 16 random bytes that the answer           |
 *  |                     must prove to know                        |
 *  +---------------------------------------------------------------+
 * </pre>
 *
 * @param hasToken whether the sender has an authentication token
 * @param canRing whether the sender rings the receiver's doorbell
 * @param memoryProof the proof that the receiver places in its memory, so that the sender may read
 *     large buffers there; {@link Nonce#NONE} if the sender will not
 */
public record HelloFrame(
        boolean hasToken,
        boolean canRing,
        long group,
        Authenticator.Party from,
        Authenticator.Party to,
        Nonce memoryProof,
        Nonce challenge)
        implements ControlFrame {

    private static final int TOKEN_FLAG = 1;
    private static final int RING_FLAG = 2;

    private static final int GROUP_OFFSET = HEADER_LENGTH;
    private static final int FROM_INCARNATION_OFFSET = GROUP_OFFSET + Long.BYTES;
    private static final int TO_INCARNATION_OFFSET = FROM_INCARNATION_OFFSET + Long.BYTES;
    private static final int FROM_OFFSET = TO_INCARNATION_OFFSET + Long.BYTES;
    private static final int TO_OFFSET = FROM_OFFSET + Integer.BYTES;
    private static final int MEMORY_PROOF_OFFSET = TO_OFFSET + Integer.BYTES;
    private static final int CHALLENGE_OFFSET = MEMORY_PROOF_OFFSET + Nonce.BYTES;
    static final int LENGTH = CHALLENGE_OFFSET + Nonce.BYTES;

    @Override
    public int encodedLength() {
        return LENGTH;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset) {
        int flags = (hasToken ? TOKEN_FLAG : 0) | (canRing ? RING_FLAG : 0);
        FrameHeader.encode(buffer, offset, FrameHeader.HELLO, flags, LENGTH);
        buffer.putLong(offset + GROUP_OFFSET, group, ORDER);
        buffer.putLong(offset + FROM_INCARNATION_OFFSET, from.incarnation(), ORDER);
        buffer.putLong(offset + TO_INCARNATION_OFFSET, to.incarnation(), ORDER);
        buffer.putInt(offset + FROM_OFFSET, from.id(), ORDER);
        buffer.putInt(offset + TO_OFFSET, to.id(), ORDER);
        memoryProof.encode(buffer, offset + MEMORY_PROOF_OFFSET);
        challenge.encode(buffer, offset + CHALLENGE_OFFSET);
    }

    public static HelloFrame decode(DirectBuffer buffer, int offset, int length) {
        FrameHeader.requireLength("HELLO", length, LENGTH);
        int flags = FrameHeader.flags(buffer, offset);
        return new HelloFrame(
                (flags & TOKEN_FLAG) != 0,
                (flags & RING_FLAG) != 0,
                buffer.getLong(offset + GROUP_OFFSET, ORDER),
                new Authenticator.Party(
                        buffer.getInt(offset + FROM_OFFSET, ORDER),
                        buffer.getLong(offset + FROM_INCARNATION_OFFSET, ORDER)),
                new Authenticator.Party(
                        buffer.getInt(offset + TO_OFFSET, ORDER),
                        buffer.getLong(offset + TO_INCARNATION_OFFSET, ORDER)),
                Nonce.decode(buffer, offset + MEMORY_PROOF_OFFSET),
                Nonce.decode(buffer, offset + CHALLENGE_OFFSET));
    }
}
