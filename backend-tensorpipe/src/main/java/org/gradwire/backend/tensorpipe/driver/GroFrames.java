package org.gradwire.backend.tensorpipe.driver;

import static io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT;
import static io.aeron.protocol.DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET;
import static io.aeron.protocol.DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET;
import static io.aeron.protocol.DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.RttMeasurementFlyweight;
import io.aeron.protocol.SetupFlyweight;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/**
 * Splits datagrams that the system has coalesced (UDP GRO) into the pieces that Aeron sends in one
 * datagram: consecutive data frames of a log, or one frame of another kind.
 *
 * <p>Datagrams contain whole frames, so the split proceeds frame by frame. It ends at an invalid
 * frame; the rest counts as lost. For one thread.
 */
final class GroFrames {
    private UnsafeBuffer frames = new UnsafeBuffer(0, 0);
    private int end;
    private int offset;
    private int length;

    /** Begin with the first received frame. */
    void begin(UnsafeBuffer received, int bytes) {
        frames = received;
        end = bytes;
        offset = 0;
        length = 0;
    }

    /**
     * Advance; {@return whether there is another piece, at {@link #offset} with {@link #length}}
     */
    boolean next() {
        offset += length;
        length = frameAt(offset);
        if (length == 0) {
            return false;
        }
        int at = offset;
        int next = offset + length;
        int bytes = frameAt(next);
        while (bytes > 0 && follows(at, next)) {
            length += bytes;
            at = next;
            next += bytes;
            bytes = frameAt(next);
        }
        return true;
    }

    int offset() {
        return offset;
    }

    int length() {
        return length;
    }

    /** {@return the type of the piece's first frame, as Aeron numbers them} */
    int type() {
        return FrameDescriptor.frameType(frames, offset);
    }

    /** {@return the length of a frame as sent; 0 if there is none} */
    private int frameAt(int at) {
        int rest = end - at;
        if (rest < HeaderFlyweight.MIN_HEADER_LENGTH
                || FrameDescriptor.frameVersion(frames, at) != HeaderFlyweight.CURRENT_VERSION) {
            return 0;
        }
        int needed =
                switch (FrameDescriptor.frameType(frames, at)) {
                    case HeaderFlyweight.HDR_TYPE_DATA -> dataAt(at);
                    case HeaderFlyweight.HDR_TYPE_PAD -> DataHeaderFlyweight.HEADER_LENGTH;
                    case HeaderFlyweight.HDR_TYPE_SETUP -> SetupFlyweight.HEADER_LENGTH;
                    case HeaderFlyweight.HDR_TYPE_RTTM -> RttMeasurementFlyweight.HEADER_LENGTH;
                    default -> 0;
                };
        return needed <= rest ? needed : 0;
    }

    private int dataAt(int at) {
        int frame = FrameDescriptor.frameLength(frames, at);
        if (frame == 0) {
            return DataHeaderFlyweight.HEADER_LENGTH; // a heartbeat
        }
        boolean isSound = frame >= DataHeaderFlyweight.HEADER_LENGTH && frame <= end - at;
        return isSound ? BitUtil.align(frame, FRAME_ALIGNMENT) : 0;
    }

    /** {@return whether a frame's data directly follow another frame's data} */
    private boolean follows(int at, int next) {
        return isData(at)
                && (isData(next) || isPadding(next))
                && frames.getInt(at + SESSION_ID_FIELD_OFFSET)
                        == frames.getInt(next + SESSION_ID_FIELD_OFFSET)
                && frames.getLong(at + STREAM_ID_FIELD_OFFSET) // and the adjacent term id
                        == frames.getLong(next + STREAM_ID_FIELD_OFFSET)
                && termOffset(next) - termOffset(at) == next - at;
    }

    private boolean isData(int at) {
        return FrameDescriptor.frameType(frames, at) == HeaderFlyweight.HDR_TYPE_DATA
                && FrameDescriptor.frameLength(frames, at) != 0;
    }

    private boolean isPadding(int at) {
        return FrameDescriptor.frameType(frames, at) == HeaderFlyweight.HDR_TYPE_PAD;
    }

    private int termOffset(int at) {
        return frames.getInt(at + TERM_OFFSET_FIELD_OFFSET, ByteOrder.LITTLE_ENDIAN);
    }
}
