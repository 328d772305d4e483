package org.gradwire.backend.tensorpipe.frame;

import static org.gradwire.backend.tensorpipe.frame.FrameHeader.HEADER_LENGTH;
import static org.gradwire.backend.tensorpipe.frame.FrameHeader.ORDER;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The refusal of a request or a HELLO, from its receiver to its sender.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |  header: kind 10                                              |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |            id of the request; -1: of no single one            |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                 kind of error (RpcErrorKind)                  |
 *  +---------------------------------------------------------------+
 *  |                 reason, UTF-8, to the frame's end            ...
 *  +---------------------------------------------------------------+
 * </pre>
 *
 * @param id of the request, or {@link #SESSION}
 * @param errorKind code of an {@link org.gradwire.rpc.RpcErrorKind}
 */
public record RejectFrame(long id, int errorKind, String reason) implements ControlFrame {
    /** Id that denotes the whole session. */
    public static final long SESSION = -1;

    private static final int ID_OFFSET = HEADER_LENGTH;
    private static final int ERROR_KIND_OFFSET = ID_OFFSET + Long.BYTES;
    private static final int REASON_OFFSET = ERROR_KIND_OFFSET + Integer.BYTES;

    @Override
    public int encodedLength() {
        return REASON_OFFSET + ControlFrame.textBytes(reason).length;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset) {
        byte[] text = ControlFrame.textBytes(reason);
        FrameHeader.encode(buffer, offset, FrameHeader.REJECT, 0, REASON_OFFSET + text.length);
        buffer.putLong(offset + ID_OFFSET, id, ORDER);
        buffer.putInt(offset + ERROR_KIND_OFFSET, errorKind, ORDER);
        buffer.putBytes(offset + REASON_OFFSET, text);
    }

    public static RejectFrame decode(DirectBuffer buffer, int offset, int length) {
        FrameHeader.requireAtLeast("REJECT", length, REASON_OFFSET);
        return new RejectFrame(
                buffer.getLong(offset + ID_OFFSET, ORDER),
                buffer.getInt(offset + ERROR_KIND_OFFSET, ORDER),
                ControlFrame.textAt(
                        "REJECT", buffer, offset + REASON_OFFSET, length - REASON_OFFSET));
    }
}
