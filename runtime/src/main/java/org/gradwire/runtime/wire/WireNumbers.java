package org.gradwire.runtime.wire;

import net.openhft.chronicle.wire.BinaryWireCode;

import org.gradwire.spi.DecodingException;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The forms in which binary wire has whole numbers: one byte alone for small ones, which halves
 * most messages, or else a code and as many bytes as the number needs. Only these are read; what
 * else could be taken for a number comes from nobody who writes with {@link WireOutput}.
 *
 * <p>They are read here, not by a wire: making one of those for each message takes a kilobyte.
 */
final class WireNumbers {
    private static final int SMALLEST_CODE = 0x80; // below, the byte is the number
    private static final VarHandle SHORTS = view(short[].class);
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);

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

    /** {@return the {@code int} whose code is at a position; it must lie within the bytes} */
    static int readInt(byte[] bytes, int position) {
        int code = bytes[position] & 0xff;
        return switch (code) {
            case BinaryWireCode.UINT8 -> bytes[position + 1] & 0xff;
            case BinaryWireCode.INT8 -> bytes[position + 1];
            case BinaryWireCode.UINT16 -> readShort(bytes, position + 1) & 0xffff;
            case BinaryWireCode.INT16 -> readShort(bytes, position + 1);
            case BinaryWireCode.INT32 -> readFixedInt(bytes, position + 1);
            default -> code;
        };
    }

    /** {@return the {@code long} whose code is at a position; it must lie within the bytes} */
    static long readLong(byte[] bytes, int position) {
        return switch (bytes[position] & 0xff) {
            case BinaryWireCode.UINT32 -> Integer.toUnsignedLong(readFixedInt(bytes, position + 1));
            case BinaryWireCode.FLOAT32 ->
                    (long) Float.intBitsToFloat(readFixedInt(bytes, position + 1));
            case BinaryWireCode.INT64 -> readFixedLong(bytes, position + 1);
            default -> readInt(bytes, position);
        };
    }

    private static short readShort(byte[] bytes, int position) {
        return (short) SHORTS.get(bytes, position);
    }

    /** {@return four bytes without a code} */
    static int readFixedInt(byte[] bytes, int position) {
        return (int) INTS.get(bytes, position);
    }

    /** {@return eight bytes without a code} */
    static long readFixedLong(byte[] bytes, int position) {
        return (long) LONGS.get(bytes, position);
    }

    private static VarHandle view(Class<?> array) {
        return MethodHandles.byteArrayViewVarHandle(array, ByteOrder.LITTLE_ENDIAN);
    }

    /** {@return whether a byte alone can stand for a number} */
    static boolean isSmall(long number) {
        return 0 <= number && number < SMALLEST_CODE;
    }

    private static int small(int code) {
        if (code >= SMALLEST_CODE) {
            throw new DecodingException(
                    "a number is expected, but code 0x" + Integer.toHexString(code) + " was sent");
        }
        return 1;
    }
}
