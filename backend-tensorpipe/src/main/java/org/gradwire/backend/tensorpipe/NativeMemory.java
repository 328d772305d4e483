package org.gradwire.backend.tensorpipe;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Copies between message buffers and Aeron's logs, which are known by their addresses.
 *
 * <p>Nothing is checked on the side of the address: the callers pass what Aeron claimed for them or
 * handed to them, and no more bytes than that.
 */
@SuppressWarnings("restricted") // one segment over all memory spares an object for each copy
final class NativeMemory {
    private static final MemorySegment ALL = MemorySegment.NULL.reinterpret(Long.MAX_VALUE);

    private NativeMemory() {}

    /** {@return the bytes at an address, for whoever keeps them from being released} */
    static MemorySegment at(long address, long bytes) {
        return ALL.asSlice(address, bytes);
    }

    /** Copy from a segment to an address. */
    static void copyOut(MemorySegment from, long offset, long toAddress, long bytes) {
        MemorySegment.copy(from, offset, ALL, toAddress, bytes);
    }

    /** Copy from an array to an address. */
    static void copyOut(byte[] from, int offset, long toAddress, int bytes) {
        MemorySegment.copy(from, offset, ALL, ValueLayout.JAVA_BYTE, toAddress, bytes);
    }

    /** Copy from an address into an array. */
    static void copyIn(long fromAddress, byte[] to, int offset, int bytes) {
        MemorySegment.copy(ALL, ValueLayout.JAVA_BYTE, fromAddress, to, offset, bytes);
    }

    /** Copy from an address into a segment. */
    static void copyIn(long fromAddress, MemorySegment to, long offset, long bytes) {
        MemorySegment.copy(ALL, fromAddress, to, offset, bytes);
    }
}
