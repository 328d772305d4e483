package org.gradwire.backend.tensorpipe.frame;

import static org.gradwire.backend.tensorpipe.frame.FrameHeader.ORDER;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The beginning of a message that does not fit one frame; its body follows in {@link ChunkFrame}s.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |  header: kind 4                                               |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |  id, type, payload length, number of buffers, number of       |
 *  |  single-copy buffers, transfer: as in {@link MessageFrame}    |
 *  |                           (32 bytes)                          |
 *  +---------------------------------------------------------------+
 *  |                        length of the body                     |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class MessageStartFrame {
    private static final int BODY_LENGTH_OFFSET = MessageFrame.BODY_OFFSET;
    public static final int LENGTH = BODY_LENGTH_OFFSET + Long.BYTES;

    private MessageStartFrame() {}

    public static void encode(MutableDirectBuffer buffer, int offset, MessageFields head) {
        FrameHeader.encode(buffer, offset, FrameHeader.MESSAGE_START, 0, LENGTH);
        MessageFrame.encodeFields(buffer, offset, head);
        buffer.putLong(offset + BODY_LENGTH_OFFSET, head.bodyLength(), ORDER);
    }

    public static MessageHead decode(DirectBuffer buffer, int offset, int length) {
        FrameHeader.requireLength("MESSAGE_START", length, LENGTH);
        return MessageFrame.decodeFields(
                buffer, offset, buffer.getLong(offset + BODY_LENGTH_OFFSET, ORDER));
    }
}
