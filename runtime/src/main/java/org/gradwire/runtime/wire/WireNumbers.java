package org.gradwire.runtime.wire;

import net.openhft.chronicle.wire.BinaryWireCode;

import org.gradwire.spi.DecodingException;

/**
 * The forms in which binary wire has whole numbers: a code and as many bytes as the number needs,
 * which is what it writes, or, for small ones, one byte alone. Only these are given to the wire to
 * read; what else it could take for a number comes from nobody who writes with {@link WireOutput}.
 */
final class WireNumbers {
    private static final int SMALLEST_CODE = 0x80; // below, the byte is the number

    private WireNumbers() {}

    /** {@return how many bytes an {@code int} takes that begins with a byte, or -1 at the end} */
    static int intBytes(int code) {
        return switch (code) {
            case BinaryWireCode.UINT8, BinaryWireCode.INT8 -> 1 + Byte.BYTES;
            case BinaryWireCode.UINT16, BinaryWireCode.INT16 -> 1 + Short.BYTES;
            case BinaryWireCode.INT32 -> 1 + Integer.BYTES;
            default -> small(code);
        };
    }

    /** {@return how many bytes a {@code long} takes that begins with a byte, or -1 at the end} */
    static int longBytes(int code) {
        return switch (code) {
            // A float where it holds the number exactly.
            case BinaryWireCode.UINT32, BinaryWireCode.FLOAT32 -> 1 + Integer.BYTES;
            case BinaryWireCode.INT64 -> 1 + Long.BYTES;
            default -> intBytes(code);
        };
    }

    private static int small(int code) {
        if (code >= SMALLEST_CODE) {
            throw new DecodingException(
                    "a number is expected, but code 0x" + Integer.toHexString(code) + " was sent");
        }
        return 1;
    }
}
