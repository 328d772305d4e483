package org.gradwire.backend.tensorpipe.frame;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.gradwire.spi.DecodingException;

import java.nio.ByteOrder;

/**
 * The header of every frame. One Aeron fragment is one frame. All numbers are little-endian.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------+---------------+-------------------------------+
 *  |     kind      |    version    |             flags             |
 *  +---------------+---------------+-------------------------------+
 *  |              length of the frame, this header included        |
 *  +---------------------------------------------------------------+
 * </pre>
 */
public final class FrameHeader {
    /** The version of this protocol. */
    public static final int VERSION = 6;

    /** Identifies the sender and the receiver: {@link HelloFrame}. */
    public static final int HELLO = 1;

    /** The reply to {@link #HELLO}: {@link HelloAckFrame}. */
    public static final int HELLO_ACK = 2;

    /** A message in one frame: {@link MessageFrame}. */
    public static final int MESSAGE = 3;

    /** A message whose body follows in chunks: {@link MessageFrame}. */
    public static final int MESSAGE_START = 4;

    /** A part of a message's body: {@link ChunkFrame}. */
    public static final int CHUNK = 5;

    /** The rest of a message's body will not arrive: {@link AbortFrame}. */
    public static final int ABORT = 6;

    /** Receiver to sender, after reading the sender's memory: {@link SingleCopyDoneFrame}. */
    public static final int SINGLE_COPY_DONE = 7;

    /** A heartbeat: {@link HeartbeatFrame}. */
    public static final int HEARTBEAT = 8;

    /** The last frame: {@link GoodbyeFrame}. */
    public static final int GOODBYE = 9;

    /** A call, or the peer itself, is refused: {@link RejectFrame}. */
    public static final int REJECT = 10;

    /** The address of the reader's proof in the owner's memory: {@link MemoryOfferFrame}. */
    public static final int MEMORY_OFFER = 11;

    /** The reply to {@link #MEMORY_OFFER}: {@link MemoryAcceptFrame}. */
    public static final int MEMORY_ACCEPT = 12;

    public static final ByteOrder ORDER = ByteOrder.LITTLE_ENDIAN;

    private static final int KIND_OFFSET = 0;
    private static final int VERSION_OFFSET = KIND_OFFSET + Byte.BYTES;
    private static final int FLAGS_OFFSET = VERSION_OFFSET + Byte.BYTES;
    private static final int LENGTH_OFFSET = FLAGS_OFFSET + Short.BYTES;

    /** Bytes of this header, at which a frame's own fields begin. */
    static final int HEADER_LENGTH = LENGTH_OFFSET + Integer.BYTES;

    private FrameHeader() {}

    public static void encode(
            MutableDirectBuffer buffer, int offset, int kind, int flags, int length) {
        buffer.putByte(offset + KIND_OFFSET, (byte) kind);
        buffer.putByte(offset + VERSION_OFFSET, (byte) VERSION);
        buffer.putShort(offset + FLAGS_OFFSET, (short) flags, ORDER);
        buffer.putInt(offset + LENGTH_OFFSET, length, ORDER);
    }

    /**
     * Check a fragment's header and return its kind.
     *
     * @throws DecodingException if the fragment is not a frame of this protocol
     */
    public static int kindOf(DirectBuffer buffer, int offset, int length) {
        if (length < HEADER_LENGTH) {
            throw new DecodingException(
                    "a frame of %d bytes; the header alone has %d"
                            .formatted(length, HEADER_LENGTH));
        }
        int version = buffer.getByte(offset + VERSION_OFFSET) & 0xff;
        if (version != VERSION) {
            throw new DecodingException(
                    "a frame of protocol version %d; this worker speaks %d"
                            .formatted(version, VERSION));
        }
        int said = buffer.getInt(offset + LENGTH_OFFSET, ORDER);
        if (said != length) {
            throw new DecodingException(
                    "a frame of %d bytes whose header says %d".formatted(said, length));
        }
        return buffer.getByte(offset + KIND_OFFSET) & 0xff;
    }

    static int flags(DirectBuffer buffer, int offset) {
        return buffer.getShort(offset + FLAGS_OFFSET, ORDER) & 0xffff;
    }

    /** Check that a frame has the expected length. */
    static void requireLength(String name, int length, int expected) {
        if (length != expected) {
            throw new DecodingException(
                    "%s of %d bytes; expected %d".formatted(name, length, expected));
        }
    }

    /** Check that a frame has at least a length. */
    static void requireAtLeast(String name, int length, int least) {
        if (length < least) {
            throw new DecodingException(
                    "%s of %d bytes; expected %d or more".formatted(name, length, least));
        }
    }
}
