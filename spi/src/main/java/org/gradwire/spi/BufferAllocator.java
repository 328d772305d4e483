package org.gradwire.spi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Gives a backend the memory into which it receives the buffers of messages.
 *
 * <p>Called on pollers and other threads of an agent, on several at a time; must be short. The
 * segment's memory stays valid as long as the segment is reachable, and its contents may be
 * anything.
 */
@FunctionalInterface
public interface BufferAllocator {

    /**
     * Return a segment of exactly this size.
     *
     * @param kind what it will hold; for all but {@link ElementKind#RAW} the segment must lie over
     *     an array of that type
     * @param bytes a multiple of the kind's size
     * @throws OutOfMemoryError when there is none
     */
    MemorySegment allocate(ElementKind kind, long bytes);

    /**
     * {@return an allocator of plain arrays, and of collected native memory for {@link
     * ElementKind#RAW}}
     */
    static BufferAllocator plain() {
        return (kind, bytes) -> {
            long length = bytes / kind.bytes();
            return switch (kind) {
                case RAW -> Arena.ofAuto().allocate(bytes, Long.BYTES);
                case BYTE -> MemorySegment.ofArray(new byte[Math.toIntExact(length)]);
                case SHORT -> MemorySegment.ofArray(new short[Math.toIntExact(length)]);
                case INT -> MemorySegment.ofArray(new int[Math.toIntExact(length)]);
                case LONG -> MemorySegment.ofArray(new long[Math.toIntExact(length)]);
                case FLOAT -> MemorySegment.ofArray(new float[Math.toIntExact(length)]);
                case DOUBLE -> MemorySegment.ofArray(new double[Math.toIntExact(length)]);
            };
        };
    }
}
