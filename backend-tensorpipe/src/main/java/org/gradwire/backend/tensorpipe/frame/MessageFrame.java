package org.gradwire.backend.tensorpipe.frame;

import static org.gradwire.backend.tensorpipe.frame.FrameHeader.HEADER_LENGTH;
import static org.gradwire.backend.tensorpipe.frame.FrameHeader.ORDER;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A message that fits one frame, from caller to callee or back.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |  header: kind 3                                               |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                             id                                |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                            type                               |
 *  +---------------------------------------------------------------+
 *  |                       payload length                          |
 *  +---------------------------------------------------------------+
 *  |                      number of buffers                        |
 *  +---------------------------------------------------------------+
 *  |               number of single-copy buffers                   |
 *  +---------------------------------------------------------------+
 *  |              transfer; 0 without such buffers                 |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |  body: table (one {@link BufferEntry} a buffer), addresses    |
 *  |  (8 bytes a single-copy buffer), payload, inline buffers    ...
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class MessageFrame {
    private static final int ID_OFFSET = HEADER_LENGTH;
    private static final int TYPE_OFFSET = ID_OFFSET + Long.BYTES;
    private static final int PAYLOAD_LENGTH_OFFSET = TYPE_OFFSET + Integer.BYTES;
    private static final int BUFFER_COUNT_OFFSET = PAYLOAD_LENGTH_OFFSET + Integer.BYTES;
    private static final int SINGLE_COPY_COUNT_OFFSET = BUFFER_COUNT_OFFSET + Integer.BYTES;
    private static final int TRANSFER_OFFSET = SINGLE_COPY_COUNT_OFFSET + Integer.BYTES;

    /** Offset of the body. */
    public static final int BODY_OFFSET = TRANSFER_OFFSET + Long.BYTES;

    private MessageFrame() {}

    /** Write all fields except the body. */
    public static void encode(MutableDirectBuffer buffer, int offset, MessageFields head) {
        int length = Math.toIntExact(BODY_OFFSET + head.bodyLength());
        FrameHeader.encode(buffer, offset, FrameHeader.MESSAGE, 0, length);
        encodeFields(buffer, offset, head);
    }

    /** Write all fields except the body of a message without buffers. */
    public static void encode(
            MutableDirectBuffer buffer, int offset, long id, int type, int payloadLength) {
        FrameHeader.encode(buffer, offset, FrameHeader.MESSAGE, 0, BODY_OFFSET + payloadLength);
        buffer.putLong(offset + ID_OFFSET, id, ORDER);
        buffer.putInt(offset + TYPE_OFFSET, type, ORDER);
        buffer.putInt(offset + PAYLOAD_LENGTH_OFFSET, payloadLength, ORDER);
        buffer.putInt(offset + BUFFER_COUNT_OFFSET, 0, ORDER);
        buffer.putInt(offset + SINGLE_COPY_COUNT_OFFSET, 0, ORDER);
        buffer.putLong(offset + TRANSFER_OFFSET, 0, ORDER);
    }

    public static MessageHead decode(DirectBuffer buffer, int offset, int length) {
        FrameHeader.requireAtLeast("MESSAGE", length, BODY_OFFSET);
        return decodeFields(buffer, offset, length - BODY_OFFSET);
    }

    /** {@return whether the body is a payload only, as in most small messages} */
    public static boolean isPayloadOnly(DirectBuffer buffer, int offset, int length) {
        return length >= BODY_OFFSET
                && buffer.getInt(offset + BUFFER_COUNT_OFFSET, ORDER) == 0
                && buffer.getInt(offset + SINGLE_COPY_COUNT_OFFSET, ORDER) == 0
                && buffer.getInt(offset + PAYLOAD_LENGTH_OFFSET, ORDER) == length - BODY_OFFSET;
    }

    /** {@return the id, if the frame is long enough to contain it} */
    public static long idOr(long none, DirectBuffer buffer, int offset, int length) {
        return length >= TYPE_OFFSET ? buffer.getLong(offset + ID_OFFSET, ORDER) : none;
    }

    /** {@return the type, if the frame is long enough to contain it} */
    public static int typeOr(int none, DirectBuffer buffer, int offset, int length) {
        return length >= PAYLOAD_LENGTH_OFFSET ? buffer.getInt(offset + TYPE_OFFSET, ORDER) : none;
    }

    static void encodeFields(MutableDirectBuffer buffer, int offset, MessageFields head) {
        buffer.putLong(offset + ID_OFFSET, head.id(), ORDER);
        buffer.putInt(offset + TYPE_OFFSET, head.type(), ORDER);
        buffer.putInt(offset + PAYLOAD_LENGTH_OFFSET, head.payloadLength(), ORDER);
        buffer.putInt(offset + BUFFER_COUNT_OFFSET, head.bufferCount(), ORDER);
        buffer.putInt(offset + SINGLE_COPY_COUNT_OFFSET, head.singleCopyCount(), ORDER);
        buffer.putLong(offset + TRANSFER_OFFSET, head.transfer(), ORDER);
    }

    static MessageHead decodeFields(DirectBuffer buffer, int offset, long bodyLength) {
        return new MessageHead(
                buffer.getLong(offset + ID_OFFSET, ORDER),
                buffer.getInt(offset + TYPE_OFFSET, ORDER),
                buffer.getInt(offset + PAYLOAD_LENGTH_OFFSET, ORDER),
                buffer.getInt(offset + BUFFER_COUNT_OFFSET, ORDER),
                buffer.getInt(offset + SINGLE_COPY_COUNT_OFFSET, ORDER),
                buffer.getLong(offset + TRANSFER_OFFSET, ORDER),
                bodyLength);
    }
}
