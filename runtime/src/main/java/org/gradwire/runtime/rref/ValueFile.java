package org.gradwire.runtime.rref;

import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.DecodingException;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;

import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;

/**
 * The format of saved values: a header with lengths, then the payload and the buffers of a message.
 * Numbers are little-endian.
 *
 * <pre>
 * magic:4 "GWVL"  version:4  payload-length:4  buffers:4  (kind:1 length:8)*  payload  buffer*
 * </pre>
 */
final class ValueFile {
    private static final int MAGIC = 0x4c565747; // "GWVL"
    private static final int VERSION = 1;
    private static final int HEADER_BYTES = 4 * Integer.BYTES;
    private static final int ENTRY_BYTES = 1 + Long.BYTES;
    private static final int MOST_BYTES = Integer.MAX_VALUE - 8; // of an array

    private ValueFile() {}

    static byte[] bytesOf(Message message) {
        List<MemorySegment> buffers = message.buffers();
        long size = HEADER_BYTES + (long) ENTRY_BYTES * buffers.size() + message.byteSize();
        if (size > MOST_BYTES) {
            throw new IllegalArgumentException(
                    "a value of %d bytes does not fit into an array; save its parts"
                            .formatted(size));
        }
        ByteBuffer out = ByteBuffer.allocate((int) size).order(ByteOrder.LITTLE_ENDIAN);
        out.putInt(MAGIC).putInt(VERSION).putInt(message.payload().length).putInt(buffers.size());
        for (MemorySegment buffer : buffers) {
            out.put((byte) ElementKind.of(buffer).code()).putLong(buffer.byteSize());
        }
        out.put(message.payload());
        MemorySegment all = MemorySegment.ofArray(out.array());
        long position = out.position();
        for (MemorySegment buffer : buffers) {
            MemorySegment.copy(buffer, 0, all, position, buffer.byteSize());
            position += buffer.byteSize();
        }
        return out.array();
    }

    private record Entry(ElementKind kind, long length) {}

    /**
     * Parse bytes. Buffers are allocated only after all lengths were checked.
     *
     * @throws DecodingException when they are not a saved value
     */
    static Message read(byte[] bytes, BufferAllocator allocator) {
        ByteBuffer in = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.length < HEADER_BYTES || in.getInt() != MAGIC) {
            throw new DecodingException(
                    "%d bytes are not a saved value: they do not begin with GWVL"
                            .formatted(bytes.length));
        }
        int version = in.getInt();
        if (version != VERSION) {
            throw new DecodingException(
                    "the bytes are of version %d, but this is version %d"
                            .formatted(version, VERSION));
        }
        int payloadLength = in.getInt();
        List<Entry> entries = entries(in, in.getInt(), payloadLength);
        byte[] payload = new byte[payloadLength];
        in.get(payload);
        return new Message(0, payload, buffers(bytes, in.position(), entries, allocator));
    }

    private static List<Entry> entries(ByteBuffer in, int count, int payloadLength) {
        if (count < 0 || payloadLength < 1 || count > in.remaining() / ENTRY_BYTES) {
            throw wrongLength();
        }
        List<Entry> entries = new ArrayList<>(count);
        long left = in.remaining() - (long) ENTRY_BYTES * count - payloadLength;
        for (int i = 0; i < count; i++) {
            var entry = new Entry(ElementKind.ofCode(in.get()), in.getLong());
            if (entry.length < 0 || entry.length > left || entry.length % entry.kind.bytes() != 0) {
                throw wrongLength();
            }
            left -= entry.length;
            entries.add(entry);
        }
        if (left != 0) {
            throw wrongLength();
        }
        return entries;
    }

    private static DecodingException wrongLength() {
        return new DecodingException("the bytes of a value are truncated or invalid");
    }

    private static List<MemorySegment> buffers(
            byte[] bytes, long start, List<Entry> entries, BufferAllocator allocator) {
        MemorySegment all = MemorySegment.ofArray(bytes);
        List<MemorySegment> buffers = new ArrayList<>(entries.size());
        long position = start;
        for (Entry entry : entries) {
            buffers.add(
                    allocator
                            .allocate(entry.kind, entry.length)
                            .copyFrom(all.asSlice(position, entry.length)));
            position += entry.length;
        }
        return buffers;
    }
}
