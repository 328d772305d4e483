package org.gradwire.backend.tensorpipe.driver;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.ErrorFlyweight;
import io.aeron.protocol.HeaderFlyweight;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteOrder;

/** The fields of Aeron's frames that say to which log a frame belongs. */
final class FrameFields {
    /** The bytes of a frame that have the fields. */
    static final int BYTES = DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET + Integer.BYTES;

    private FrameFields() {}

    /** {@return the session of a frame} */
    static int session(UnsafeBuffer frames, int offset) {
        return number(
                frames,
                offset
                        + (isOfWriter(frames, offset)
                                ? DataHeaderFlyweight.SESSION_ID_FIELD_OFFSET
                                : ErrorFlyweight.SESSION_ID_FIELD_OFFSET));
    }

    /** {@return the stream of a frame} */
    static int stream(UnsafeBuffer frames, int offset) {
        return number(
                frames,
                offset
                        + (isOfWriter(frames, offset)
                                ? DataHeaderFlyweight.STREAM_ID_FIELD_OFFSET
                                : ErrorFlyweight.STREAM_ID_FIELD_OFFSET));
    }

    /** {@return whether a worker accepts only sealed datagrams for a stream} */
    static boolean isSealed(int stream) {
        return stream < 0;
    }

    private static boolean isOfWriter(UnsafeBuffer frames, int offset) {
        return switch (FrameDescriptor.frameType(frames, offset)) {
            case HeaderFlyweight.HDR_TYPE_DATA,
                    HeaderFlyweight.HDR_TYPE_PAD,
                    HeaderFlyweight.HDR_TYPE_SETUP ->
                    true;
            default -> false;
        };
    }

    private static int number(DirectBuffer frames, int offset) {
        return frames.getInt(offset, ByteOrder.LITTLE_ENDIAN);
    }
}
