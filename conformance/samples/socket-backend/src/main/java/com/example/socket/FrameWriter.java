package com.example.socket;

import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;

import java.io.BufferedOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;

/**
 * Writes frames. Numbers are big-endian; buffers are written in the byte order of memory.
 *
 * <pre>
 * request, reply   kind 1, id 8, type 4, payload length 4, buffer count 4,
 *                  for each buffer: element kind 1, size 8;
 *                  payload, buffers
 * refusal          kind 1, id 8, error kind 4, text length 2, text in UTF-8
 * heartbeat        kind 1
 * </pre>
 *
 * <p>Confined to one thread.
 */
final class FrameWriter {
    static final int CHUNK = 64 * 1024;
    static final int MOST_TEXT = 1000;

    private final DataOutputStream out;
    private final byte[] chunk = new byte[CHUNK];

    FrameWriter(OutputStream stream) {
        out = new DataOutputStream(new BufferedOutputStream(stream, CHUNK));
    }

    void write(Frame frame) throws IOException {
        switch (frame) {
            case Frame.Request(long id, Message message) -> write(Frame.REQUEST, id, message);
            case Frame.Reply(long id, Message message) -> write(Frame.REPLY, id, message);
            case Frame.Refusal refusal -> write(refusal);
            case Frame.Heartbeat() -> out.writeByte(Frame.HEARTBEAT);
            case Frame.PassedOver _ -> throw new IllegalArgumentException(frame + " is never sent");
        }
    }

    void flush() throws IOException {
        out.flush();
    }

    private void write(int kind, long id, Message message) throws IOException {
        out.writeByte(kind);
        out.writeLong(id);
        out.writeInt(message.type());
        out.writeInt(message.payload().length);
        out.writeInt(message.buffers().size());
        for (MemorySegment buffer : message.buffers()) {
            out.writeByte(kindOf(buffer).code());
            out.writeLong(buffer.byteSize());
        }
        out.write(message.payload());
        for (MemorySegment buffer : message.buffers()) {
            write(buffer);
        }
    }

    /**
     * {@return the element kind to receive a buffer as; a slice that cuts an element counts as
     * plain bytes}
     */
    static ElementKind kindOf(MemorySegment buffer) {
        ElementKind kind = ElementKind.of(buffer);
        return buffer.byteSize() % kind.bytes() == 0 ? kind : ElementKind.RAW;
    }

    private void write(MemorySegment buffer) throws IOException {
        for (long at = 0; at < buffer.byteSize(); at += CHUNK) {
            int length = (int) Math.min(CHUNK, buffer.byteSize() - at);
            MemorySegment.copy(buffer, ValueLayout.JAVA_BYTE, at, chunk, 0, length);
            out.write(chunk, 0, length);
        }
    }

    private void write(Frame.Refusal refusal) throws IOException {
        byte[] text = refusal.reason().getBytes(StandardCharsets.UTF_8);
        int length = Math.min(text.length, MOST_TEXT);
        out.writeByte(Frame.REFUSAL);
        out.writeLong(refusal.id());
        out.writeInt(refusal.kind().code());
        out.writeShort(length);
        out.write(text, 0, length);
    }
}
