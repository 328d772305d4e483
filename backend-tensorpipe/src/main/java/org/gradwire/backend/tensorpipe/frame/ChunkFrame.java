package org.gradwire.backend.tensorpipe.frame;

import static org.gradwire.backend.tensorpipe.frame.FrameHeader.HEADER_LENGTH;
import static org.gradwire.backend.tensorpipe.frame.FrameHeader.ORDER;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A part of the body of a message that a {@link MessageStartFrame} has begun.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |  header: kind 5                                               |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                          transfer                             |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |               position of the part in the body                |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |           reserved, 0: so that the part is aligned            |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                 part, to the frame's end                    ...
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class ChunkFrame {
    private static final int TRANSFER_OFFSET = HEADER_LENGTH;
    private static final int POSITION_OFFSET = TRANSFER_OFFSET + Long.BYTES;
    private static final int RESERVED_OFFSET = POSITION_OFFSET + Long.BYTES;

    /** Offset of the part. */
    public static final int PART_OFFSET = RESERVED_OFFSET + Long.BYTES;

    private ChunkFrame() {}

    /** Write all fields except the part. */
    public static void encode(
            MutableDirectBuffer buffer, int offset, long transfer, long position, int partLength) {
        FrameHeader.encode(buffer, offset, FrameHeader.CHUNK, 0, PART_OFFSET + partLength);
        buffer.putLong(offset + TRANSFER_OFFSET, transfer, ORDER);
        buffer.putLong(offset + POSITION_OFFSET, position, ORDER);
        buffer.putLong(offset + RESERVED_OFFSET, 0, ORDER);
    }

    public static void requireWhole(int length) {
        FrameHeader.requireAtLeast("CHUNK", length, PART_OFFSET + 1);
    }

    public static long transfer(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + TRANSFER_OFFSET, ORDER);
    }

    public static long position(DirectBuffer buffer, int offset) {
        return buffer.getLong(offset + POSITION_OFFSET, ORDER);
    }
}
