package org.gradwire.backend.tensorpipe;

import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Builds a sequence of Aeron's frames, as sent or received. */
public final class Frames {
    /** Offset of a frame, and its length as sent. */
    public record Place(int offset, int length) {}

    public final ByteBuffer bytes = ByteBuffer.allocateDirect(256 * 1024);
    public final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    public final List<Place> places = new ArrayList<>();
    public int end;

    /** Append data at a position of a log; return the next position. */
    public int data(int session, int termOffset, int length) {
        header(HeaderFlyweight.HDR_TYPE_DATA, session, termOffset, length);
        int aligned = BitUtil.align(length, 32);
        place(aligned);
        return termOffset + aligned;
    }

    /** Append padding, of which only the header is sent. */
    public void padding(int session, int termOffset, int length) {
        header(HeaderFlyweight.HDR_TYPE_PAD, session, termOffset, length);
        place(DataHeaderFlyweight.HEADER_LENGTH);
    }

    public void heartbeat(int session, int termOffset) {
        header(HeaderFlyweight.HDR_TYPE_DATA, session, termOffset, 0);
        place(DataHeaderFlyweight.HEADER_LENGTH);
    }

    public void setup() {
        var header = new SetupFlyweight();
        header.wrap(buffer, end, SetupFlyweight.HEADER_LENGTH);
        header.version(HeaderFlyweight.CURRENT_VERSION)
                .headerType(HeaderFlyweight.HDR_TYPE_SETUP)
                .frameLength(SetupFlyweight.HEADER_LENGTH);
        place(SetupFlyweight.HEADER_LENGTH);
    }

    private void header(int type, int session, int termOffset, int length) {
        var header = new DataHeaderFlyweight();
        header.wrap(buffer, end, DataHeaderFlyweight.HEADER_LENGTH);
        header.sessionId(session).streamId(7).termId(3).termOffset(termOffset);
        header.version(HeaderFlyweight.CURRENT_VERSION)
                .flags(DataHeaderFlyweight.BEGIN_AND_END_FLAGS)
                .headerType(type)
                .frameLength(length);
    }

    private void place(int length) {
        places.add(new Place(end, length));
        end += length;
    }

    /** {@return all frames, ready to be sent} */
    public ByteBuffer toSend() {
        return bytes.duplicate().position(0).limit(end);
    }
}
