package org.gradwire.backend.netty;

import io.netty.buffer.ByteBuf;

import org.gradwire.spi.DecodingException;

/**
 * Header of a frame; all numbers are little-endian.
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
 * The table of buffers follows, eight bytes for each ({@link BufferEntry}), then the payload, then
 * the buffers. The payload of REJECT and GOODBYE is a text in UTF-8 of at most 1,024 bytes, that of
 * HEARTBEAT and RENEW is empty.
 *
 * @param id of the request, chosen by its sender
 */
record FrameHeader(Kind kind, int payloadLength, long id, int type, int bufferCount) {
    static final int BYTES = 24;

    /** Limit of the buffers of a message. */
    static final int MAX_BUFFERS = 65_536;

    /** Limit of the text of a REJECT or GOODBYE, in bytes. */
    static final int MAX_TEXT = 1024;

    private static final int RESERVED = 3;

    /** Kind of a frame. */
    enum Kind {
        /** A call, which ends by REPLY or REJECT. */
        REQUEST(1),
        /** The reply to a request. */
        REPLY(2),
        /** Reason why a request gets no reply. */
        REJECT(3),
        /** Shows that its sender runs. */
        HEARTBEAT(4),
        /** The last frame of a worker that closes. */
        GOODBYE(5),
        /** The request of a listener for a renewal, which only the dialer can begin. */
        RENEW(6);

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
     * Decode a header.
     *
     * @throws DecodingException when it is malformed; then the following bytes cannot be read
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
        header.requireValid();
        return header;
    }

    private void requireValid() {
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
