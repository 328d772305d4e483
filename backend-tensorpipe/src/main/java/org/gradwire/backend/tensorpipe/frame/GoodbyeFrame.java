package org.gradwire.backend.tensorpipe.frame;

import static org.gradwire.backend.tensorpipe.frame.FrameHeader.HEADER_LENGTH;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The last frame of a session: its sender closes, or has closed the connection.
 *
 * <pre>
 *  +---------------------------------------------------------------+
 *  |  header: kind 9                                               |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                 reason, UTF-8, to the frame's end            ...
 *  +---------------------------------------------------------------+
 * </pre>
 */
public record GoodbyeFrame(String reason) implements ControlFrame {
    private static final int REASON_OFFSET = HEADER_LENGTH;

    @Override
    public int encodedLength() {
        return REASON_OFFSET + ControlFrame.textBytes(reason).length;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset) {
        byte[] text = ControlFrame.textBytes(reason);
        FrameHeader.encode(buffer, offset, FrameHeader.GOODBYE, 0, REASON_OFFSET + text.length);
        buffer.putBytes(offset + REASON_OFFSET, text);
    }

    public static GoodbyeFrame decode(DirectBuffer buffer, int offset, int length) {
        FrameHeader.requireAtLeast("GOODBYE", length, REASON_OFFSET);
        return new GoodbyeFrame(
                ControlFrame.textAt(
                        "GOODBYE", buffer, offset + REASON_OFFSET, length - REASON_OFFSET));
    }
}
