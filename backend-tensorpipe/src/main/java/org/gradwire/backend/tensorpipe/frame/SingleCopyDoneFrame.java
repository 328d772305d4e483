package org.gradwire.backend.tensorpipe.frame;

import static org.gradwire.backend.tensorpipe.frame.FrameHeader.HEADER_LENGTH;
import static org.gradwire.backend.tensorpipe.frame.FrameHeader.ORDER;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * The receiver of a message with single-copy buffers will no longer read their memory.
 *
 * <pre>
 *  +---------------------------------------------------------------+
 *  |  header: kind 7                                               |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                          transfer                             |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  | error number of process_vm_readv; 0: the message has arrived  |
 *  +---------------------------------------------------------------+
 * </pre>
 *
 * @param error if not 0, the message was dropped, and the sender sends it again, in chunks
 */
public record SingleCopyDoneFrame(long transfer, int error) implements ControlFrame {
    private static final int TRANSFER_OFFSET = HEADER_LENGTH;
    private static final int ERROR_OFFSET = TRANSFER_OFFSET + Long.BYTES;
    static final int LENGTH = ERROR_OFFSET + Integer.BYTES;

    @Override
    public int encodedLength() {
        return LENGTH;
    }

    @Override
    public boolean isUrgent() {
        return error != 0;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset) {
        FrameHeader.encode(buffer, offset, FrameHeader.SINGLE_COPY_DONE, 0, LENGTH);
        buffer.putLong(offset + TRANSFER_OFFSET, transfer, ORDER);
        buffer.putInt(offset + ERROR_OFFSET, error, ORDER);
    }

    public static SingleCopyDoneFrame decode(DirectBuffer buffer, int offset, int length) {
        FrameHeader.requireLength("SINGLE_COPY_DONE", length, LENGTH);
        return new SingleCopyDoneFrame(
                buffer.getLong(offset + TRANSFER_OFFSET, ORDER),
                buffer.getInt(offset + ERROR_OFFSET, ORDER));
    }
}
