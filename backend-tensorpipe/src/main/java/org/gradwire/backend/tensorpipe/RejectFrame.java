package org.gradwire.backend.tensorpipe;

import static org.gradwire.backend.tensorpipe.FrameHeader.HEADER_LENGTH;
import static org.gradwire.backend.tensorpipe.FrameHeader.ORDER;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * Receiver to sender of a request that it will not answer, or of a HELLO that it does not accept.
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
record RejectFrame(long id, int errorKind, String reason) implements ControlFrame {
    /** Stands for the whole session. */
    static final long SESSION = -1;

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

    static RejectFrame decode(DirectBuffer buffer, int offset, int length) {
        FrameHeader.requireAtLeast("REJECT", length, REASON_OFFSET);
        return new RejectFrame(
                buffer.getLong(offset + ID_OFFSET, ORDER),
                buffer.getInt(offset + ERROR_KIND_OFFSET, ORDER),
                ControlFrame.textAt(
                        "REJECT", buffer, offset + REASON_OFFSET, length - REASON_OFFSET));
    }
}
