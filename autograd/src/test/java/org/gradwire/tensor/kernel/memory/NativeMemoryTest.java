package org.gradwire.tensor.kernel.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import static java.util.Objects.requireNonNull;

import org.gradwire.tensor.kernel.memory.NativeMemory.Slab;
import org.junit.jupiter.api.Test;

import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** A pool's reuse of slabs, its limits, and its errors. */
class NativeMemoryTest {
    private static final long MIB = 1 << 20;
    private static final long SOFT_LIMIT = 64 * MIB;

    private final NativeMemory pool =
            requireNonNull(NativeMemory.create(SOFT_LIMIT, 128 * MIB), "no native memory here");

    @Test
    void slabsComeBackOnceAndAreHandedOutAgain() {
        Slab slab = pool.allocate(MIB);
        assertEquals(MIB, pool.bytesInUse());
        slab.release();
        slab.release();
        assertEquals(0, pool.bytesInUse());
        assertEquals(MIB, pool.bytesCached());
        pool.allocate(MIB - 5).release(); // of the same size class
        assertEquals(MIB, pool.bytesCached());
    }

    @Test
    void segmentIsClaimedOnceAndWhole() {
        MemorySegment segment = pool.allocateUnclaimed(MIB - 5);
        assertNull(pool.claim(segment.asSlice(0, MIB - 64)), "a part");
        assertNull(pool.claim(pool.allocate(MIB).segment()), "memory in use");
        Slab slab = requireNonNull(pool.claim(segment));
        assertNull(pool.claim(segment), "it was claimed already");
        long inUse = pool.bytesInUse();
        slab.release();
        assertEquals(inUse - MIB, pool.bytesInUse());
    }

    @Test
    void slabsOfASizeInUseAreKeptThoughOthersFillThePool() {
        List<Slab> others = hold(80);
        others.forEach(Slab::release);
        assertEquals(SOFT_LIMIT, pool.bytesCached());
        pool.allocate(8 * MIB).release();
        assertEquals(SOFT_LIMIT, pool.bytesCached());
        Slab again = pool.allocate(8 * MIB);
        assertEquals(SOFT_LIMIT - 8 * MIB, pool.bytesCached(), "it did not come from the pool");
        again.release();
    }

    @Test
    void thePoolDoesNotPassItsLimit() {
        List<Slab> held = hold(120);
        assertTrue(
                String.valueOf(
                                assertThrows(OutOfMemoryError.class, () -> pool.allocate(16 * MIB))
                                        .getMessage())
                        .contains("tensors hold 120 MiB of native memory, 16 MiB more would pass"));
        held.forEach(Slab::release);
        pool.allocate(16 * MIB).release();
    }

    private List<Slab> hold(int count) {
        List<Slab> slabs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            slabs.add(pool.allocate(MIB));
        }
        return slabs;
    }
}
