package org.gradwire.fuzz;

import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ElementKind;
import org.gradwire.spi.Message;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * A message as the input of a fuzz target, big endian.
 *
 * <pre>
 * type 2   buffers 1   for each: kind 1, bytes 2   the buffers   the payload
 * </pre>
 */
final class MessageInput {
    private static final int MOST_BUFFERS = 8;
    private static final int KINDS = ElementKind.values().length;

    private MessageInput() {}

    /** {@return the message, or null if the input is too short} */
    static @Nullable Message decode(byte[] input) {
        var in = ByteBuffer.wrap(input);
        if (in.remaining() < Short.BYTES + 1) {
            return null;
        }
        int type = in.getShort() & 0xffff;
        int count = (in.get() & 0xff) % (MOST_BUFFERS + 1);
        if (in.remaining() < count * (1 + Short.BYTES)) {
            return null;
        }
        byte[] kinds = new byte[count];
        int[] lengths = new int[count];
        for (int i = 0; i < count; i++) {
            kinds[i] = in.get();
            lengths[i] = in.getShort() & 0xffff;
        }
        List<MemorySegment> buffers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ElementKind kind = ElementKind.ofCode((kinds[i] & 0xff) % KINDS);
            buffers.add(buffer(kind, Math.min(lengths[i], in.remaining()), in));
        }
        byte[] payload = Arrays.copyOfRange(input, in.position(), input.length);
        return new Message(type, payload, buffers);
    }

    private static MemorySegment buffer(ElementKind kind, int bytes, ByteBuffer in) {
        int whole = bytes - bytes % kind.bytes();
        MemorySegment buffer = BufferAllocator.plain().allocate(kind, whole);
        for (int i = 0; i < whole; i++) {
            buffer.set(ValueLayout.JAVA_BYTE, i, in.get());
        }
        return buffer;
    }

    /** {@return the input of a message} */
    static byte[] encode(Message message) {
        var out = ByteBuffer.allocate((int) message.byteSize() + 64);
        out.putShort((short) message.type()).put((byte) message.buffers().size());
        for (MemorySegment buffer : message.buffers()) {
            out.put((byte) ElementKind.of(buffer).code()).putShort((short) buffer.byteSize());
        }
        message.buffers().forEach(buffer -> out.put(buffer.toArray(ValueLayout.JAVA_BYTE)));
        out.put(message.payload());
        return Arrays.copyOf(out.array(), out.position());
    }
}
