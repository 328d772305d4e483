package org.gradwire.backend.netty;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.ElementKind;

/**
 * An entry in the table of buffers: the length in bytes in the lower six bytes, the code of the
 * {@link ElementKind} in the seventh, 0 in the eighth.
 */
final class BufferEntry {
    static final int BYTES = Long.BYTES;

    private static final int KIND_SHIFT = 48;
    private static final long LENGTH_MASK = (1L << KIND_SHIFT) - 1;

    private BufferEntry() {}

    static long of(ElementKind kind, long length) {
        return length | (long) kind.code() << KIND_SHIFT;
    }

    static long length(long entry) {
        return entry & LENGTH_MASK;
    }

    /**
     * Decode the kind of elements.
     *
     * @throws DecodingException when it is unknown, or the length is not a multiple of its size
     */
    static ElementKind kind(long entry) {
        ElementKind kind = ElementKind.ofCode((int) (entry >>> KIND_SHIFT));
        if (length(entry) % kind.bytes() != 0) {
            throw new DecodingException(
                    "a buffer of %d bytes does not hold a whole number of %s"
                            .formatted(length(entry), kind));
        }
        return kind;
    }
}
