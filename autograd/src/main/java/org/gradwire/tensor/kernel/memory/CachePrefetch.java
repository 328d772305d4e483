package org.gradwire.tensor.kernel.memory;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * Software prefetch: reads memory sequentially, so that it is in the caches when a kernel reads it
 * in another order.
 *
 * <p>OpenBLAS packs a matrix by columns of panels, one cache line from each row, which hardware
 * prefetchers do not predict: a product of 64x256 with one of many matrices of 256x256, used in
 * turn, takes 200 us, 120 us when the matrix was read in order before, and 90 us when it was in the
 * caches already, where this takes 2.
 */
public final class CachePrefetch {
    /** Minimum size: more pages than a hardware prefetcher follows. */
    private static final long LEAST = 32 * 1024;

    /** Maximum size: a core's cache. */
    private static final long MOST = 1024 * 1024;

    private static final int LINE = 64;

    private CachePrefetch() {}

    /** Read the first bytes of a segment, if its size is in range. */
    public static void read(MemorySegment segment, long bytes) {
        if (segment.isNative() && bytes >= LEAST && bytes <= MOST && isFirst(segment, bytes)) {
            Thread.onSpinWait(); // never: it keeps the compiler from leaving the loop out
        }
    }

    private static boolean isFirst(MemorySegment segment, long bytes) {
        long sum = 0;
        for (long line = 0; line < bytes; line += LINE) {
            sum |= segment.get(ValueLayout.JAVA_BYTE, line);
        }
        return sum == Long.MIN_VALUE;
    }
}
