package org.gradwire.backend.tensorpipe;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A sign of life, from each worker to each peer to which it has sent nothing else for a while.
 *
 * <pre>
 *  +---------------------------------------------------------------+
 *  |  header: kind 8                                               |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 * </pre>
 */
record HeartbeatFrame() implements ControlFrame {
    static final int LENGTH = FrameHeader.HEADER_LENGTH;

    @Override
    public int encodedLength() {
        return LENGTH;
    }

    @Override
    public boolean isUrgent() {
        return false;
    }

    @Override
    public void encode(MutableDirectBuffer buffer, int offset) {
        FrameHeader.encode(buffer, offset, FrameHeader.HEARTBEAT, 0, LENGTH);
    }

    static HeartbeatFrame decode(DirectBuffer buffer, int offset, int length) {
        FrameHeader.requireLength("HEARTBEAT", length, LENGTH);
        return new HeartbeatFrame();
    }
}
