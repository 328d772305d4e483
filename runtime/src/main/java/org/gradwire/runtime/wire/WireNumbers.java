package org.gradwire.runtime.wire;

import org.gradwire.spi.DecodingException;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The encoding of integers in a payload, as in Chronicle's binary wire: one byte for small numbers,
 * which halves most messages; otherwise a code and the necessary bytes. Other codes are rejected.
 */
final class WireNumbers {
    /** Maximal bytes of a number, with its code. */
    static final int MOST_BYTES = 1 + Long.BYTES;

    private static final int SMALLEST_CODE = 0x80; // smaller bytes are the number itself
    private static final int UINT8 = 0xA1;
    private static final int UINT16 = 0xA2;
    private static final int UINT32 = 0xA3;
    private static final int INT8 = 0xA4;
    private static final int INT16 = 0xA5;
    private static final int INT32 = 0xA6;
    private static final int INT64 = 0xA7;
    private static final VarHandle SHORTS = view(short[].class);
    private static final VarHandle INTS = view(int[].class);
    private static final VarHandle LONGS = view(long[].class);

    private WireNumbers() {}

    /** {@return the number of bytes of an {@code int} that begins with a byte, or -1 at the end} */
    static int intBytes(int code) {
        return switch (code) {
            case UINT8, INT8 -> 1 + Byte.BYTES;
            case UINT16, INT16 -> 1 + Short.BYTES;
            case INT32 -> 1 + Integer.BYTES;
            default -> small(code);
        };
    }

    /** {@return the number of bytes of a {@code long} that begins with a byte, or -1 at the end} */
    static int longBytes(int code) {
        return switch (code) {
            case UINT32 -> 1 + Integer.BYTES;
            case INT64 -> 1 + Long.BYTES;
            default -> intBytes(code);
        };
    }

    /** {@return the {@code int} whose code is at a position; the bytes must contain it} */
    static int readInt(byte[] bytes, int position) {
        int code = bytes[position] & 0xff;
        return switch (code) {
            case UINT8 -> bytes[position + 1] & 0xff;
            case INT8 -> bytes[position + 1];
            case UINT16 -> readShort(bytes, position + 1) & 0xffff;
            case INT16 -> readShort(bytes, position + 1);
            case INT32 -> readFixedInt(bytes, position + 1);
            default -> code;
        };
    }

    /** {@return the {@code long} whose code is at a position; the bytes must contain it} */
    static long readLong(byte[] bytes, int position) {
        return switch (bytes[position] & 0xff) {
            case UINT32 -> Integer.toUnsignedLong(readFixedInt(bytes, position + 1));
            case INT64 -> readFixedLong(bytes, position + 1);
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

    /** Write a number in its shortest form, and return the position after it. */
    static int write(long number, byte[] bytes, int position) {
        if (0 <= number && number < SMALLEST_CODE) {
            bytes[position] = (byte) number;
            return position + 1;
        }
        int code = shortest(number);
        bytes[position] = (byte) code;
        switch (code) {
            case UINT8, INT8 -> bytes[position + 1] = (byte) number;
            case UINT16, INT16 -> SHORTS.set(bytes, position + 1, (short) number);
            case UINT32, INT32 -> writeFixedInt((int) number, bytes, position + 1);
            default -> writeFixedLong(number, bytes, position + 1);
        }
        return position + longBytes(code);
    }

    private static int shortest(long number) {
        if (number < 0) {
            return number >= Byte.MIN_VALUE
                    ? INT8
                    : number >= Short.MIN_VALUE
                            ? INT16
                            : number >= Integer.MIN_VALUE ? INT32 : INT64;
        }
        if (number < 1 << Short.SIZE) {
            return number < 1 << Byte.SIZE ? UINT8 : number <= Short.MAX_VALUE ? INT16 : UINT16;
        }
        return number <= Integer.MAX_VALUE ? INT32 : number < 1L << Integer.SIZE ? UINT32 : INT64;
    }

    /** Write four bytes without a code. */
    static void writeFixedInt(int value, byte[] bytes, int position) {
        INTS.set(bytes, position, value);
    }

    /** Write eight bytes without a code. */
    static void writeFixedLong(long value, byte[] bytes, int position) {
        LONGS.set(bytes, position, value);
    }

    private static int small(int code) {
        if (code >= SMALLEST_CODE) {
            throw new DecodingException(
                    "a number is expected, but code 0x" + Integer.toHexString(code) + " was sent");
        }
        return 1;
    }
}
