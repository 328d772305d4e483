package org.gradwire.spi;

import java.lang.foreign.MemorySegment;

/**
 * The element type of a buffer of a {@link Message}: the receiver reads the buffer into an array of
 * the same type.
 *
 * <p>A backend sends the code with each buffer and asks its {@link BufferAllocator} for one of that
 * kind.
 */
public enum ElementKind {
    /** Native memory, or an array of any other type. */
    RAW(0, 1),
    /** An array of bytes. */
    BYTE(1, 1),
    /** An array of shorts. */
    SHORT(2, 2),
    /** An array of ints. */
    INT(3, 4),
    /** An array of longs. */
    LONG(4, 8),
    /** An array of floats. */
    FLOAT(5, 4),
    /** An array of doubles. */
    DOUBLE(6, 8);

    private static final ElementKind[] KINDS = values();

    private final int code;
    private final int bytes;

    ElementKind(int code, int bytes) {
        this.code = code;
        this.bytes = bytes;
    }

    /** {@return the code of this kind on the wire} */
    public int code() {
        return code;
    }

    /** {@return the size of one element} */
    public int bytes() {
        return bytes;
    }

    /**
     * Return the kind with a code.
     *
     * @throws DecodingException if no kind has it
     */
    public static ElementKind ofCode(int code) {
        if (code < 0 || code >= KINDS.length) {
            throw new DecodingException("unknown element kind " + code + "; known are 0 to 6");
        }
        return KINDS[code];
    }

    /** {@return the kind of the array that backs a segment, or {@link #RAW}} */
    public static ElementKind of(MemorySegment segment) {
        return switch (segment.heapBase().orElse(null)) {
            case float[] _ -> FLOAT;
            case double[] _ -> DOUBLE;
            case long[] _ -> LONG;
            case int[] _ -> INT;
            case byte[] _ -> BYTE;
            case short[] _ -> SHORT;
            case null, default -> RAW;
        };
    }
}
