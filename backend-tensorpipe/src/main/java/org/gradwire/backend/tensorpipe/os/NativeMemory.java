package org.gradwire.backend.tensorpipe.os;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies between message buffers and Aeron's logs, by address.
 *
 * <p>Addresses are not checked: callers pass space that Aeron has claimed for them or passed to
 * them, and at most its length.
 */
@SuppressWarnings("restricted") // one segment over all memory avoids an object per copy
public final class NativeMemory {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private NativeMemory() {}

    /** {@return the bytes at an address, which the caller keeps alive} */
    public static MemorySegment at(long address, long bytes) {
        return ALL.asSlice(address, bytes);
    }

    /** Copy from a segment to an address. */
    public static void copyOut(MemorySegment from, long offset, long toAddress, long bytes) {
        MemorySegment.copy(from, offset, ALL, toAddress, bytes);
    }

    /** Copy from an array to an address. */
    public static void copyOut(byte[] from, int offset, long toAddress, int bytes) {
        MemorySegment.copy(from, offset, ALL, ValueLayout.JAVA_BYTE, toAddress, bytes);
    }

    /** Copy from an address into an array. */
    public static void copyIn(long fromAddress, byte[] to, int offset, int bytes) {
        MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, fromAddress, to, offset, bytes);
    }

    /** Copy from an address into a segment. */
    public static void copyIn(long fromAddress, MemorySegment to, long offset, long bytes) {
        MemorySegment.copy(ALL, fromAddress, to, offset, bytes);
    }
}
