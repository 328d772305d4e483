package org.gradwire.backend.netty;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.ElementKind;

/**
 * One buffer's row in the table of a message: the length in bytes in the lower six bytes, above
 * them the code of its {@link ElementKind}, above that 0.
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
     * Return the kind of elements, of which the length must be a multiple.
     *
     * @throws DecodingException when it is none
     */
    static ElementKind kind(long entry) {
        ElementKind kind = ElementKind.ofCode((int) (entry >>> KIND_SHIFT));
        if (length(entry) % kind.bytes() != 0) {
            throw new DecodingException(
                    "a buffer of %d bytes holds no whole number of %s"
                            .formatted(length(entry), kind));
        }
        return kind;
    }
}
