package org.gradwire.backend.tensorpipe;

import static io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT;
import static io.aeron.logbuffer.FrameDescriptor.frameLength;
import static io.aeron.logbuffer.FrameDescriptor.isPaddingFrame;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Cuts frames that Aeron sends at once into datagrams of whole frames, and these into runs that the
 * system can cut: datagrams of one length, of which the last may be shorter.
 *
 * <p>A frame that is longer than a datagram should be is a datagram of its own. For one thread.
 */
final class DatagramRuns {
    /** Datagrams in a run; older systems cut no more at once. */
    static final int MOST_DATAGRAMS = 64;

    private final int limit;
    private final UnsafeBuffer frames;
    private int end;
    private int offset;
    private int length;
    private int datagram;

    /**
     * Cut what is in a buffer.
     *
     * @param limit bytes of a datagram
     * @param frames which their owner wraps anew before each {@link #begin}
     */
    DatagramRuns(int limit, UnsafeBuffer frames) {
        this.limit = limit;
        this.frames = frames;
    }

    /** Begin with the first frame of the buffer. */
    void begin() {
        end = frames.capacity();
        offset = 0;
        length = 0;
    }

    /** {@return whether there is another run; its measures are those of the other methods} */
    boolean next() {
        offset += length;
        if (offset >= end) {
            return false;
        }
        datagram = datagramAt(offset);
        length = datagram;
        int count = 1;
        int last = datagram;
        while (last == datagram && count < MOST_DATAGRAMS && offset + length < end) {
            last = datagramAt(offset + length);
            if (last <= datagram) {
                length += last;
                count++;
            }
        }
        return true;
    }

    /** {@return bytes of the run} */
    int length() {
        return length;
    }

    /** {@return bytes of each of its datagrams but for the last, which may have fewer} */
    int datagram() {
        return datagram;
    }

    private int datagramAt(int from) {
        int bytes = frameAt(from);
        while (bytes + HEADER_LENGTH <= limit && from + bytes < end) {
            int next = frameAt(from + bytes);
            if (bytes + next > limit) {
                break;
            }
            bytes += next;
        }
        return bytes;
    }

    /** {@return bytes of a frame as it is sent: of padding only the header} */
    private int frameAt(int at) {
        int rest = end - at;
        if (rest < HEADER_LENGTH || isPaddingFrame(frames, at)) {
            return Math.min(rest, HEADER_LENGTH);
        }
        int frame = frameLength(frames, at);
        return frame <= 0 || frame > rest
                ? rest
                : Math.min(rest, BitUtil.align(frame, FRAME_ALIGNMENT));
    }
}
