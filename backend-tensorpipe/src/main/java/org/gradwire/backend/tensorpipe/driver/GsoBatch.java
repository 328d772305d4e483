package org.gradwire.backend.tensorpipe.driver;

import static io.aeron.logbuffer.FrameDescriptor.FRAME_ALIGNMENT;
import static io.aeron.logbuffer.FrameDescriptor.frameLength;
import static io.aeron.logbuffer.FrameDescriptor.isPaddingFrame;
import static io.aeron.protocol.DataHeaderFlyweight.HEADER_LENGTH;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * Groups the frames of one send of Aeron into datagrams of whole frames, and the datagrams into
 * batches that the system can segment (UDP GSO): datagrams of equal length, except that the last
 * may be shorter.
 *
 * <p>A frame longer than the limit is a separate datagram. For one thread.
 */
final class GsoBatch {
    /** Limit of datagrams in a batch, as in older systems. */
    static final int MOST_DATAGRAMS = 64;

    private static final int MOST_BYTES = 65_504; // of a UDP datagram, as Aeron limits it

    private final int limit;
    private final UnsafeBuffer frames;
    private int overhead;
    private int end;
    private int offset;
    private int length;
    private int datagram;

    /**
     * Create a batch over a buffer.
     *
     * @param limit bytes of a datagram
     * @param frames wrapped again by the owner before each {@link #begin}
     */
    GsoBatch(int limit, UnsafeBuffer frames) {
        this.limit = limit;
        this.frames = frames;
    }

    /**
     * Begin with the first frame of the buffer.
     *
     * @param sealBytes by which a datagram is longer than its frames
     */
    void begin(int sealBytes) {
        overhead = sealBytes;
        end = frames.capacity();
        offset = 0;
        length = 0;
    }

    /** Advance; {@return whether there is another batch, described by the other methods} */
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
            if (length + last + (count + 1) * overhead > MOST_BYTES) {
                break;
            }
            if (last <= datagram) {
                length += last;
                count++;
            }
        }
        return true;
    }

    /** {@return the length of the frames in the batch, in bytes} */
    int length() {
        return length;
    }

    /** {@return the length of the frames in each datagram but the last, which may be shorter} */
    int datagram() {
        return datagram;
    }

    private int datagramAt(int from) {
        int bytes = frameAt(from);
        int most = limit - overhead;
        while (bytes + HEADER_LENGTH <= most && from + bytes < end) {
            int next = frameAt(from + bytes);
            if (bytes + next > most) {
                break;
            }
            bytes += next;
        }
        return bytes;
    }

    /** {@return the length of a frame as sent: of padding, only the header} */
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
