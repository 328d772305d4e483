package org.gradwire.backend.tensorpipe;

import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Frames of Aeron one after another, as they are sent or received. */
final class Frames {
    /** Where a frame is, and how long as it is sent. */
    record Place(int offset, int length) {}

    final ByteBuffer bytes = ByteBuffer.allocateDirect(256 * 1024);
    final UnsafeBuffer buffer = new UnsafeBuffer(bytes);
    final List<Place> places = new ArrayList<>();
    int end;

    /** Data at the next position of a log, which this returns. */
    int data(int session, int termOffset, int length) {
        header(HeaderFlyweight.HDR_TYPE_DATA, session, termOffset, length);
        int aligned = BitUtil.align(length, 32);
        place(aligned);
        return termOffset + aligned;
    }

    /** Padding, which is sent without what it pads. */
    void padding(int session, int termOffset, int length) {
        header(HeaderFlyweight.HDR_TYPE_PAD, session, termOffset, length);
        place(DataHeaderFlyweight.HEADER_LENGTH);
    }

    void heartbeat(int session, int termOffset) {
        header(HeaderFlyweight.HDR_TYPE_DATA, session, termOffset, 0);
        place(DataHeaderFlyweight.HEADER_LENGTH);
    }

    void setup() {
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

    /** {@return all of them, ready to be sent} */
    ByteBuffer toSend() {
        return bytes.duplicate().position(0).limit(end);
    }
}
