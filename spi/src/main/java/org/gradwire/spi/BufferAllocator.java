package org.gradwire.spi;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * Allocates the memory into which a backend receives the buffers of messages.
 *
 * <p>Called on pollers and other threads of an agent, concurrently; must be short. The segment's
 * memory stays valid as long as the segment is reachable; its initial contents are undefined.
 */
@FunctionalInterface
public interface BufferAllocator {

    /**
     * Return a segment of exactly this size.
     *
     * @param kind of its elements; for all but {@link ElementKind#RAW} the segment must be backed
     *     by an array of that type
     * @param bytes a multiple of the kind's size
     * @throws OutOfMemoryError if there is not enough memory
     */
    MemorySegment allocate(ElementKind kind, long bytes);

    /**
     * {@return an allocator of Java arrays, and of garbage-collected native memory for {@link
     * ElementKind#RAW}}
     */
    static BufferAllocator plain() {
        return (kind, bytes) -> {
            if (kind == ElementKind.RAW) {
                return Arena.ofAuto().allocate(bytes, Long.BYTES);
            }
            long length = bytes / kind.bytes();
            if (length > Integer.MAX_VALUE) {
                throw new OutOfMemoryError(
                        "a buffer of %d bytes does not fit into an array of kind %s"
                                .formatted(bytes, kind));
            }
            return array(kind, (int) length);
        };
    }

    private static MemorySegment array(ElementKind kind, int length) {
        return switch (kind) {
            case RAW, BYTE -> MemorySegment.ofArray(new byte[length]);
            case SHORT -> MemorySegment.ofArray(new short[length]);
            case INT -> MemorySegment.ofArray(new int[length]);
            case LONG -> MemorySegment.ofArray(new long[length]);
            case FLOAT -> MemorySegment.ofArray(new float[length]);
            case DOUBLE -> MemorySegment.ofArray(new double[length]);
        };
    }
}
