package org.gradwire.backend.tensorpipe.frame;

import static org.gradwire.backend.tensorpipe.frame.FrameHeader.HEADER_LENGTH;
import static org.gradwire.backend.tensorpipe.frame.FrameHeader.ORDER;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Sender to receiver of a chunked message: drop it, the rest will not follow.
 *
 * <pre>
 *  +---------------------------------------------------------------+
 *  |  header: kind 6                                               |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                          transfer                             |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public record AbortFrame(long transfer) implements ControlFrame {
    private static final int TRANSFER_OFFSET = HEADER_LENGTH;
    static final int LENGTH = TRANSFER_OFFSET + Long.BYTES;

    @Override
    public int encodedLength() {
        return LENGTH;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset) {
        FrameHeader.encode(buffer, offset, FrameHeader.ABORT, 0, LENGTH);
        buffer.putLong(offset + TRANSFER_OFFSET, transfer, ORDER);
    }

    public static AbortFrame decode(DirectBuffer buffer, int offset, int length) {
        FrameHeader.requireLength("ABORT", length, LENGTH);
        return new AbortFrame(buffer.getLong(offset + TRANSFER_OFFSET, ORDER));
    }
}
