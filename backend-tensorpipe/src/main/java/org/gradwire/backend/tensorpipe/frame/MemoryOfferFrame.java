package org.gradwire.backend.tensorpipe.frame;

import static org.gradwire.backend.tensorpipe.frame.FrameHeader.HEADER_LENGTH;
import static org.gradwire.backend.tensorpipe.frame.FrameHeader.ORDER;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Owner of memory to its reader, after the handshake: the reader's proof is in place.
 *
 * <pre>
 *  +---------------------------------------------------------------+
 *  |  header: kind 11                                              |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |      address of the memory proof of the reader's HELLO        |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public record MemoryOfferFrame(long proofAddress) implements ControlFrame {
    private static final int ADDRESS_OFFSET = HEADER_LENGTH;
    static final int LENGTH = ADDRESS_OFFSET + Long.BYTES;

    @Override
    public int encodedLength() {
        return LENGTH;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset) {
        FrameHeader.encode(buffer, offset, FrameHeader.MEMORY_OFFER, 0, LENGTH);
        buffer.putLong(offset + ADDRESS_OFFSET, proofAddress, ORDER);
    }

    public static MemoryOfferFrame decode(DirectBuffer buffer, int offset, int length) {
        FrameHeader.requireLength("MEMORY_OFFER", length, LENGTH);
        return new MemoryOfferFrame(buffer.getLong(offset + ADDRESS_OFFSET, ORDER));
    }
}
