package org.gradwire.runtime.store;

import org.gradwire.spi.DecodingException;

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;

/**
 * The frames of the TCP store, big endian. {@code docs/PROTOCOL.md} describes the conversation.
 *
 * <pre>
 * request   id:8  operation:1  number:8  key:2+n  value:4+n     number = amount, or timeout in ms
 * response  id:8  status:1     number:8  value:4+n              status 0 = done, 1 = failed, 2 = absent; the value is the reason
 * </pre>
 */
final class StoreFrames {
    static final int MAGIC = 0x47575354; // "GWST"
    static final int VERSION = 4;

    static final int SET = 1;
    static final int GET = 2;
    static final int ADD = 3;

    static final int DONE = 0;
    static final int FAILED = 1;
    static final int ABSENT = 2;

    /** Replies to a client's proof other than {@link #DONE}. */
    static final int REFUSED = 1;

    static final int FULL = 2;
    static final int UNIDENTIFIED = 3;

    private static final int MAX_KEY_BYTES = 3 * StoreLimits.MAX_KEY_LENGTH; // in modified UTF-8

    record Request(long id, int operation, long number, String key, byte[] value) {}

    record Response(long id, int status, long number, byte[] value) {}

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
        return new Request(in.readLong(), in.readByte(), in.readLong(), readKey(in), readBytes(in));
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
        int length = in.readInt();
        if (length < 0 || length > StoreLimits.MAX_VALUE_BYTES) {
            throw new DecodingException(
                    "store frame with a value of %d bytes; at most %d"
                            .formatted(length, StoreLimits.MAX_VALUE_BYTES));
        }
        byte[] bytes = in.readNBytes(length);
        if (bytes.length < length) {
            throw new EOFException("a value was truncated");
        }
        return bytes;
    }
}
