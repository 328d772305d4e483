package org.gradwire.backend.tensorpipe.seal;

import org.gradwire.spi.crypto.Aead;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * The bytes of a sealed datagram, little-endian.
 *
 * <pre>
 *   0                   1                   2                   3
 *   0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1
 *  +-------------------------------+-------------------------------+
 *  |    length of the datagram     |  epoch, its lowest 16 bits    |
 *  +---------------+---------------+-------------------------------+
 *  |  format = 1   |                                               |
 *  +---------------+          key id                               |
 *  |                                                               |
 *  +---------------------------------------------------------------+
 *  |                 number within the epoch                       |
 *  +---------------------------------------------------------------+
 *  |         frames, encrypted, then a tag of 16 bytes             |
 *  +---------------------------------------------------------------+
 * </pre>
 *
 * The first 16 bytes are readable, and authenticated. The fifth byte of Aeron's frames is 0, so
 * none begins like this.
 */
public final class DatagramSeal {
    /** Bytes by which a datagram is longer than its frames. */
    public static final int OVERHEAD = 32;

    static final int HEADER_BYTES = OVERHEAD - Aead.TAG_BYTES;
    static final int EPOCH_OFFSET = 2;
    static final int KEY_ID_OFFSET = 4;
    static final int NUMBER_OFFSET = 12;

    private static final int FORMAT = 1;
    private static final int UNSIGNED_SHORT = 0xFFFF;
    private static final VarHandle SHORT =
            MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle INT =
            MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
    private static final VarHandle LONG =
            MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);

    private DatagramSeal() {}

    /** {@return a key id, with the number of the format, from random bits} */
    static long keyId(long bits) {
        return (bits & ~0xFFL) | FORMAT;
    }

    /**
     * {@return the length of the datagram that begins at an offset; 0 when none does}
     *
     * @param end of the received bytes, which may be several datagrams
     */
    public static int lengthAt(byte[] received, int offset, int end) {
        if (end - offset < OVERHEAD || received[offset + KEY_ID_OFFSET] != FORMAT) {
            return 0;
        }
        int length = (short) SHORT.get(received, offset) & UNSIGNED_SHORT;
        return length >= OVERHEAD && length <= end - offset ? length : 0;
    }

    /** {@return the key id of the datagram at an offset} */
    public static long keyIdAt(byte[] received, int offset) {
        return (long) LONG.get(received, offset + KEY_ID_OFFSET);
    }

    static short epochAt(byte[] received, int offset) {
        return (short) SHORT.get(received, offset + EPOCH_OFFSET);
    }

    static int numberAt(byte[] received, int offset) {
        return (int) INT.get(received, offset + NUMBER_OFFSET);
    }

    static void putHeader(byte[] out, int offset, int length, long epoch, long keyId, int number) {
        SHORT.set(out, offset, (short) length);
        SHORT.set(out, offset + EPOCH_OFFSET, (short) epoch);
        LONG.set(out, offset + KEY_ID_OFFSET, keyId);
        INT.set(out, offset + NUMBER_OFFSET, number);
    }
}
