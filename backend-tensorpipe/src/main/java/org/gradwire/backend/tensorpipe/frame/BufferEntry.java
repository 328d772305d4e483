package org.gradwire.backend.tensorpipe.frame;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.ElementKind;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The entry of one buffer in the table at the start of a message's body.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +---------------------------------------------------------------+
 *  |                  length in bytes (6 bytes)                    |
 *  |                               +---------------+---------------+
 *  |                               |  element kind |   placement   |
 *  +-------------------------------+---------------+---------------+
 * </pre>
 *
 * <p>Element kinds are the codes of {@link ElementKind}. Placement 0: the bytes are in the body; 1:
 * the receiver reads them from the sender's memory, at the address in the body.
 */
public final class BufferEntry {
    private static final int KIND_SHIFT = 48;
    private static final int PLACEMENT_SHIFT = 56;
    private static final long LENGTH_MASK = (1L << KIND_SHIFT) - 1;
    private static final int INLINE = 0;
    private static final int SINGLE_COPY = 1;

    private static final VarHandle LONGS =
            MethodHandles.byteArrayViewVarHandle(long[].class, FrameHeader.ORDER);

    private BufferEntry() {}

    /** Write an entry, or an address after the entries. */
    public static void put(byte[] prologue, int index, long value) {
        LONGS.set(prologue, index * Long.BYTES, value);
    }

    /** {@return an entry, or an address after the entries} */
    public static long get(byte[] prologue, int index) {
        return (long) LONGS.get(prologue, index * Long.BYTES);
    }

    public static long of(ElementKind kind, long length, boolean singleCopy) {
        long placement = singleCopy ? SINGLE_COPY : INLINE;
        return length | (long) kind.code() << KIND_SHIFT | placement << PLACEMENT_SHIFT;
    }

    public static long length(long entry) {
        return entry & LENGTH_MASK;
    }

    /**
     * Return the kind of elements.
     *
     * @throws DecodingException if it is unknown, or the length is not a multiple of its size
     */
    public static ElementKind kind(long entry) {
        ElementKind kind = ElementKind.ofCode((int) (entry >>> KIND_SHIFT) & 0xff);
        if (length(entry) % kind.bytes() != 0) {
            throw new DecodingException(
                    "a buffer of %d bytes is not a whole number of %s"
                            .formatted(length(entry), kind));
        }
        return kind;
    }

    public static boolean isSingleCopy(long entry) {
        int placement = (int) (entry >>> PLACEMENT_SHIFT);
        if (placement != INLINE && placement != SINGLE_COPY) {
            throw new DecodingException("a buffer of unknown placement " + placement);
        }
        return placement == SINGLE_COPY;
    }
}
