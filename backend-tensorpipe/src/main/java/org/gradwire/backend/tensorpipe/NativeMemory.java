package org.gradwire.backend.tensorpipe;

import java.lang.foreign.MemorySegment;

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

    /** Copy from a segment to an address. */
    static void copyOut(MemorySegment from, long offset, long toAddress, long bytes) {
        MemorySegment.copy(from, offset, ALL, toAddress, bytes);
    }

    /** Copy from an address into a segment. */
    static void copyIn(long fromAddress, MemorySegment to, long offset, long bytes) {
        MemorySegment.copy(ALL, fromAddress, to, offset, bytes);
    }
}
