package com.example.socket;

import org.gradwire.rpc.RpcErrorKind;
import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads frames, also malformed ones: memory is allocated only for sizes within the limits, and only
 * after all preceding bytes have arrived.
 *
 * <p>Confined to one thread.
 */
final class FrameReader {
    static final int MOST_BUFFERS = 65_536;

    private final DataInputStream in;
    private final BufferAllocator allocator;
    private final long maxMessageBytes;
    private final byte[] chunk = new byte[FrameWriter.CHUNK];

    FrameReader(InputStream stream, BufferAllocator allocator, long maxMessageBytes) {
        in = new DataInputStream(new BufferedInputStream(stream, FrameWriter.CHUNK));
        this.allocator = allocator;
        this.maxMessageBytes = maxMessageBytes;
    }

    /**
     * Read a frame, waiting until it has arrived.
     *
     * @throws DecodingException if it is malformed; no further frame can be read
     * @throws IOException if the connection has ended or was silent for the liveness time
     */
    Frame next() throws IOException {
        int kind = in.readUnsignedByte();
        return switch (kind) {
            case Frame.REQUEST, Frame.REPLY -> message(kind == Frame.REQUEST);
            case Frame.REFUSAL -> refusal();
            case Frame.HEARTBEAT -> new Frame.Heartbeat();
            default -> throw new DecodingException("unknown kind of frame " + kind);
        };
    }

    /** The announced kind and size of a buffer. */
    private record Announced(ElementKind kind, long bytes) {}

    private Frame message(boolean isRequest) throws IOException {
        long id = in.readLong();
        int type = in.readInt();
        int payloadBytes = size("payload", in.readInt(), Integer.MAX_VALUE);
        int count = size("number of buffers", in.readInt(), MOST_BUFFERS);
        List<Announced> announced = new ArrayList<>();
        long bytes = payloadBytes;
        for (int i = 0; i < count; i++) {
            Announced buffer = announced();
            announced.add(buffer);
            bytes = sum(bytes, buffer.bytes());
        }
        if (bytes > maxMessageBytes) {
            String limit = Options.MAX_MESSAGE_BYTES + "=" + maxMessageBytes;
            return passOver(isRequest, id, bytes, limit);
        }
        byte[] payload = in.readNBytes(payloadBytes); // which allocates memory as bytes arrive
        if (payload.length < payloadBytes) {
            throw new EOFException();
        }
        long left = bytes - payloadBytes;
        List<MemorySegment> buffers = new ArrayList<>(count);
        for (Announced buffer : announced) {
            try {
                buffers.add(allocator.allocate(buffer.kind(), buffer.bytes()));
            } catch (OutOfMemoryError e) {
                return passOver(isRequest, id, left, "no memory: " + e.getMessage());
            }
            read(buffers.getLast());
            left -= buffer.bytes();
        }
        var message = new Message(type, payload, buffers);
        return isRequest ? new Frame.Request(id, message) : new Frame.Reply(id, message);
    }

    private Announced announced() throws IOException {
        ElementKind kind = ElementKind.ofCode(in.readUnsignedByte());
        long bytes = in.readLong();
        if (bytes < 0 || bytes % kind.bytes() != 0) {
            throw new DecodingException(
                    "a buffer of kind %s cannot have %d bytes".formatted(kind, bytes));
        }
        return new Announced(kind, bytes);
    }

    private static int size(String what, int size, int most) {
        if (size < 0 || size > most) {
            throw new DecodingException("%s is %d, not 0 to %d".formatted(what, size, most));
        }
        return size;
    }

    private static long sum(long bytes, long more) {
        long sum = bytes + more;
        if (sum < 0) {
            throw new DecodingException("a message of more than 2^63 bytes");
        }
        return sum;
    }

    /** Skip a message that cannot be received; only its call fails. */
    private Frame passOver(boolean isRequest, long id, long bytes, String why) throws IOException {
        for (long left = bytes; left > 0; ) {
            int length = in.read(chunk, 0, (int) Math.min(chunk.length, left));
            if (length < 0) {
                throw new EOFException();
            }
            left -= length;
        }
        return new Frame.PassedOver(
                isRequest,
                id,
                "message of %d bytes refused by its receiver: %s".formatted(bytes, why));
    }

    private void read(MemorySegment buffer) throws IOException {
        for (long at = 0; at < buffer.byteSize(); at += chunk.length) {
            int length = (int) Math.min(chunk.length, buffer.byteSize() - at);
            in.readFully(chunk, 0, length);
            MemorySegment.copy(chunk, 0, buffer, ValueLayout.JAVA_BYTE, at, length);
        }
    }

    private Frame refusal() throws IOException {
        long id = in.readLong();
        RpcErrorKind kind = RpcErrorKind.ofCode(in.readInt());
        byte[] text = new byte[size("text", in.readUnsignedShort(), FrameWriter.MOST_TEXT)];
        in.readFully(text);
        return new Frame.Refusal(id, kind, new String(text, StandardCharsets.UTF_8));
    }
}
