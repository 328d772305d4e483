package org.gradwire.backend.tensorpipe.frame;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

/**
 * A heartbeat, sent to each peer to which the worker has sent no other frame for an interval.
 *
 * <pre>
 *  +---------------------------------------------------------------+
 *  |  header: kind 8                                               |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public record HeartbeatFrame() implements ControlFrame {
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

    public static HeartbeatFrame decode(DirectBuffer buffer, int offset, int length) {
        FrameHeader.requireLength("HEARTBEAT", length, LENGTH);
        return new HeartbeatFrame();
    }
}
