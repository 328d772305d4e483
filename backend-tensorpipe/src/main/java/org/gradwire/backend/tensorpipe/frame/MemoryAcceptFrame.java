package org.gradwire.backend.tensorpipe.frame;

import static org.gradwire.backend.tensorpipe.frame.FrameHeader.HEADER_LENGTH;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The acceptance of a {@link MemoryOfferFrame}: the reader has found its proof, so the owner may
 * leave large buffers in place. Only a header.
 */
public record MemoryAcceptFrame() implements ControlFrame {
    @Override
    public int encodedLength() {
        return HEADER_LENGTH;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset) {
        FrameHeader.encode(buffer, offset, FrameHeader.MEMORY_ACCEPT, 0, HEADER_LENGTH);
    }

    public static MemoryAcceptFrame decode(DirectBuffer buffer, int offset, int length) {
        FrameHeader.requireLength("MEMORY_ACCEPT", length, HEADER_LENGTH);
        return new MemoryAcceptFrame();
    }
}
