package org.gradwire.runtime.store;

import org.gradwire.spi.DecodingException;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;

/**
 * The frames of the TCP store, big endian. {@code docs/PROTOCOL.md} describes the conversation.
 *
 * <pre>
 * request   id:8  operation:1  number:8  key:2+n  value:4+n     number = amount, time in ms, or lease
 * response  id:8  status:1     number:8  value:4+n              status 0 = done, 1 = failed, 2 = absent; the value is the reason
 * optional  present:1  bytes:4+n if present
 * </pre>
 */
final class StoreFrames {
    static final int MAGIC = 0x47575354; // "GWST"
    static final int VERSION = 5;

    static final int SET = 1;
    static final int GET = 2;
    static final int ADD = 3;
    static final int COMPARE_AND_SET = 4;
    static final int WATCH = 5;
    static final int ACQUIRE = 6;
    static final int RENEW = 7;
    static final int RELEASE = 8;

    static final int DONE = 0;
    static final int FAILED = 1;
    static final int ABSENT = 2;

    /** Replies to a client's proof other than {@link #DONE}. */
    static final int REFUSED = 1;

    static final int FULL = 2;
    static final int UNIDENTIFIED = 3;

    private static final int MAX_KEY_BYTES = 3 * StoreLimits.MAX_KEY_LENGTH; // in modified UTF-8
    private static final int MAX_OPTIONAL_BYTES = 1 + Integer.BYTES + StoreLimits.MAX_VALUE_BYTES;

    record Request(long id, int operation, long number, String key, byte[] value) {}

    record Response(long id, int status, long number, byte[] value) {}

    /** The value of a request to compare and set, or to watch. */
    record Expected(byte @Nullable [] seen, byte[] value) {

        /** {@return the value of the request: an optional, then the rest} */
        byte[] encode() {
            var bytes =
                    ByteBuffer.allocate(
                            1 + (seen == null ? 0 : Integer.BYTES + seen.length) + value.length);
            bytes.put((byte) (seen == null ? 0 : 1));
            if (seen != null) {
                bytes.putInt(seen.length).put(seen);
            }
            return bytes.put(value).array();
        }

        /**
         * Decode the value of a request.
         *
         * @throws DecodingException when a length in it is wrong
         */
        static Expected decode(byte[] encoded) {
            var bytes = ByteBuffer.wrap(encoded);
            try {
                int present = bytes.get();
                byte[] seen = null;
                if (present == 1) {
                    seen = next(bytes, bytes.getInt());
                } else if (present != 0) {
                    throw new DecodingException("store frame with the flag " + present);
                }
                return new Expected(seen, next(bytes, bytes.remaining()));
            } catch (BufferUnderflowException _) {
                throw new DecodingException("store frame whose value is truncated");
            }
        }

        private static byte[] next(ByteBuffer from, int length) {
            if (length < 0 || length > StoreLimits.MAX_VALUE_BYTES || length > from.remaining()) {
                throw new DecodingException(
                        "store frame with a part of %d bytes where %d remain; at most %d"
                                .formatted(length, from.remaining(), StoreLimits.MAX_VALUE_BYTES));
            }
            byte[] bytes = new byte[length];
            from.get(bytes);
            return bytes;
        }
    }

    private StoreFrames() {}

    /** Write a request whose key and value are within {@link StoreLimits}. */
    static void write(DataOutputStream out, Request request) throws IOException {
        out.writeLong(request.id);
        out.writeByte(request.operation);
        out.writeLong(request.number);
        out.writeUTF(request.key);
        writeBytes(out, request.value);
        out.flush();
    }

    static Request readRequest(DataInputStream in) throws IOException {
        long id = in.readLong();
        int operation = in.readByte();
        int most =
                switch (operation) {
                    case COMPARE_AND_SET -> MAX_OPTIONAL_BYTES + StoreLimits.MAX_VALUE_BYTES;
                    case WATCH -> MAX_OPTIONAL_BYTES;
                    default -> StoreLimits.MAX_VALUE_BYTES;
                };
        return new Request(id, operation, in.readLong(), readKey(in), readBytes(in, most));
    }

    static void write(DataOutputStream out, Response response) throws IOException {
        out.writeLong(response.id);
        out.writeByte(response.status);
        out.writeLong(response.number);
        writeBytes(out, response.value);
        out.flush();
    }

    static Response readResponse(DataInputStream in) throws IOException {
        return new Response(in.readLong(), in.readByte(), in.readLong(), readBytes(in));
    }

    private static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    /** Read a text like {@link DataInputStream#readUTF}, after a check of its length. */
    static String readKey(DataInputStream in) throws IOException {
        int length = in.readUnsignedShort();
        if (length > MAX_KEY_BYTES) {
            throw new DecodingException(
                    "store frame with a key of %d bytes; at most %d"
                            .formatted(length, MAX_KEY_BYTES));
        }
        byte[] text = new byte[Short.BYTES + length];
        text[0] = (byte) (length >> Byte.SIZE);
        text[1] = (byte) length;
        in.readFully(text, Short.BYTES, length);
        return new DataInputStream(new ByteArrayInputStream(text)).readUTF();
    }

    /** Read a value. Memory is allocated as bytes arrive, regardless of the announced length. */
    static byte[] readBytes(DataInputStream in) throws IOException {
        return readBytes(in, StoreLimits.MAX_VALUE_BYTES);
    }

    private static byte[] readBytes(DataInputStream in, int most) throws IOException {
        int length = in.readInt();
        if (length < 0 || length > most) {
            throw new DecodingException(
                    "store frame with a value of %d bytes; at most %d".formatted(length, most));
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("a value was truncated");
        }
        return bytes;
    }
}
