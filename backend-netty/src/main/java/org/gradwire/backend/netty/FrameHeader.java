package org.gradwire.backend.netty;

import io.netty.buffer.ByteBuf;

import org.gradwire.spi.DecodingException;

/**
 * The first bytes of each frame; all numbers are little-endian.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------+-----------------------------------------------+
 *  |     kind      |                       0                       |
 *  +---------------+-----------------------------------------------+
 *  |                    length of the payload                      |
 *  +---------------------------------------------------------------+
 *  |                       id of the request                       |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |              type of the message, or kind of error            |
 *  +---------------------------------------------------------------+
 *  |                      number of buffers                        |
 *  +---------------------------------------------------------------+
 * </pre>
 *
 * Then come the table, eight bytes for each buffer ({@link BufferEntry}), the payload, and the
 * buffers. REJECT and GOODBYE have a text as payload, UTF-8, of at most 1,024 bytes; HEARTBEAT has
 * nothing.
 *
 * @param id of the request, chosen by its sender
 */
record FrameHeader(Kind kind, int payloadLength, long id, int type, int bufferCount) {
    static final int BYTES = 24;

    /** The most buffers of a message. */
    static final int MAX_BUFFERS = 65_536;

    /** The most bytes of the text of a REJECT or GOODBYE. */
    static final int MAX_TEXT = 1024;

    private static final int RESERVED = 3;

    /** What a frame is. */
    enum Kind {
        /** A call, to be answered by REPLY or REJECT. */
        REQUEST(1),
        /** The answer to a request. */
        REPLY(2),
        /** Says why a request is not answered. */
        REJECT(3),
        /** A sign of life. */
        HEARTBEAT(4),
        /** The last frame: its worker closes. */
        GOODBYE(5);

        private static final Kind[] ALL = values();

        private final int code;

        Kind(int code) {
            this.code = code;
        }

        int code() {
            return code;
        }

        static Kind of(int code) {
            if (code < 1 || code > ALL.length) {
                throw new DecodingException("a frame of unknown kind " + code);
            }
            return ALL[code - 1];
        }

        boolean isMessage() {
            return this == REQUEST || this == REPLY;
        }
    }

    void encode(ByteBuf to) {
        to.writeByte(kind.code());
        to.writeZero(RESERVED);
        to.writeIntLE(payloadLength);
        to.writeLongLE(id);
        to.writeIntLE(type);
        to.writeIntLE(bufferCount);
    }

    /**
     * Read a header.
     *
     * @throws DecodingException when it makes no sense; then nothing that follows can be read
     */
    static FrameHeader decode(ByteBuf from) {
        Kind kind = Kind.of(from.readUnsignedByte());
        from.skipBytes(RESERVED);
        var header =
                new FrameHeader(
                        kind,
                        from.readIntLE(),
                        from.readLongLE(),
                        from.readIntLE(),
                        from.readIntLE());
        header.requireSense();
        return header;
    }

    private void requireSense() {
        int mostBuffers = kind.isMessage() ? MAX_BUFFERS : 0;
        int mostPayload = kind.isMessage() ? Integer.MAX_VALUE : MAX_TEXT;
        if (payloadLength < 0
                || payloadLength > mostPayload
                || bufferCount < 0
                || bufferCount > mostBuffers) {
            throw new DecodingException(
                    "a %s with a payload of %d bytes and %d buffers; at most %d and %d"
                            .formatted(kind, payloadLength, bufferCount, mostPayload, mostBuffers));
        }
    }
}
