package org.gradwire.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.device.DeviceProvider.MemoryUse;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.SplittableRandom;
import java.util.TreeMap;

/** Blocks of a device's memory: cut, reused, merged and released. */
@NeedsFakeCuda
class BlockAllocatorTest {
    private static final long KIB = 1 << 10;
    private static final long MIB = 1 << 20;

    private final CudaDevice device = FakeCuda.newDevice(1);
    private final CudaStream stream = new CudaStream(device);
    private final CudaStream other = new CudaStream(device);
    private final List<Block> held = new ArrayList<>();
    private BlockAllocator allocator = new BlockAllocator(device, Long.MAX_VALUE);

    private Block allocate(long bytes) {
        Block block = allocator.allocate(bytes, stream);
        held.add(block);
        return block;
    }

    private void free(Block block) {
        held.remove(block);
        allocator.free(block);
    }

    @AfterEach
    void everythingGoesBackToTheDriver() {
        long live = FakeCuda.liveBytes(1);
        long reserved = allocator.use().reserved();
        for (Block block : List.copyOf(held)) {
            free(block);
        }
        allocator.trim();
        assertEquals(0, allocator.use().allocated());
        assertEquals(0, allocator.use().reserved());
        assertEquals(live - reserved, FakeCuda.liveBytes(1));
    }

    @Test
    void sizesAreRoundedTo512Bytes() {
        long[][] sizes = {{0, 512}, {1, 512}, {512, 512}, {513, 1024}, {MIB + 1, MIB + 512}};
        for (long[] size : sizes) {
            Block block = allocate(size[0]);
            assertEquals(size[1], allocator.use().allocated(), size[0] + " bytes");
            free(block);
        }
    }

    @Test
    void segmentsAreOf2And20MibAndOfTheirOwn() {
        long[][] segments = {
            {1, 2 * MIB},
            {MIB, 2 * MIB},
            {MIB + 1, 20 * MIB},
            {10 * MIB, 20 * MIB},
            {10 * MIB + 1, 12 * MIB},
            {23 * MIB, 24 * MIB}
        };
        for (long[] segment : segments) {
            long before = FakeCuda.liveBytes(1);
            Block block = allocate(segment[0]);
            assertEquals(segment[1], allocator.use().reserved());
            assertEquals(before + segment[1], FakeCuda.liveBytes(1));
            free(block);
            allocator.trim();
        }
    }

    @Test
    void freedBlocksAreUsedAgain() {
        Block first = allocate(100 * KIB);
        long address = first.address;
        free(first);
        for (int i = 0; i < 10; i++) {
            Block again = allocate(100 * KIB);
            assertEquals(address, again.address);
            free(again);
        }
        assertEquals(2 * MIB, allocator.use().reserved());
    }

    @Test
    void blocksOfOneSegmentFollowEachOther() {
        Block first = allocate(KIB);
        Block second = allocate(3 * KIB);
        Block third = allocate(KIB);
        assertEquals(first.address + KIB, second.address);
        assertEquals(second.address + 3 * KIB, third.address);
        free(second);
        assertEquals(second.address, allocate(2 * KIB).address, "the smallest that fits");
        assertEquals(second.address + 2 * KIB, allocate(KIB).address);
        assertEquals(2 * MIB, allocator.use().reserved());
        assertEquals(5 * KIB, allocator.use().allocated());
    }

    @Test
    void freeNeighboursAreMerged() {
        Block first = allocate(MIB / 2);
        Block second = allocate(MIB / 2);
        Block third = allocate(MIB / 2);
        Block last = allocate(MIB / 2);
        long start = first.address;
        free(third);
        free(first);
        free(second); // between two free ones
        Block large = allocate(MIB);
        assertEquals(start, large.address);
        assertEquals(start + MIB, allocate(MIB / 2).address);
        free(last);
        assertEquals(2 * MIB, allocator.use().reserved());
    }

    @Test
    void aSegmentIsWholeAgainAfterAllItsBlocksWereFreed() {
        for (long size : new long[] {KIB, 3 * MIB}) {
            long before = FakeCuda.liveBytes(1);
            Block block = allocate(size);
            free(block);
            allocator.trim();
            assertEquals(before, FakeCuda.liveBytes(1), size + " bytes");
        }
    }

    @Test
    void blocksOfSeveralStreamsAreMergedWhenMemoryIsGivenBack() {
        long before = FakeCuda.liveBytes(1);
        Block first = allocate(KIB);
        Block second = allocator.allocate(KIB, other);
        Block third = allocate(KIB);
        allocator.free(second);
        free(third);
        free(first);
        allocator.trim();
        assertEquals(before, FakeCuda.liveBytes(1));
        assertEquals(0, allocator.use().reserved());
    }

    @Test
    void smallBlocksDoNotCutLargeSegments() {
        free(allocate(16 * MIB));
        Block small = allocate(KIB);
        assertEquals(18 * MIB, allocator.use().reserved());
        Block middle = allocate(2 * MIB);
        assertEquals(18 * MIB, allocator.use().reserved(), "cut from the 16 MiB");
        assertNotEquals(small.segment, middle.segment);
    }

    /** A block of 10 MiB or less is cut where more than 1 MiB would be left. */
    @Test
    void largeBlocksAreNotWasted() {
        free(allocate(64 * MIB));
        Block large = allocate(24 * MIB);
        assertEquals(88 * MIB, allocator.use().reserved(), "64 are too many for 24");
        free(large);
        Block again = allocate(20 * MIB);
        assertEquals(large.address, again.address);
        assertEquals(24 * MIB, allocator.use().allocated(), "a whole segment is not cut");
        free(again);
        Block half = allocate(32 * MIB);
        assertEquals(64 * MIB, allocator.use().allocated());
        assertEquals(88 * MIB, allocator.use().reserved());
        free(half);
    }

    @Test
    void anotherStreamsBlockIsUsedAfterItsWork() {
        Block block = allocate(KIB);
        long address = block.address;
        free(block);
        Block reused = allocator.allocate(KIB, other);
        assertEquals(address, reused.address);
        assertEquals(other, reused.stream);
        allocator.free(reused);
        assertEquals(other, reused.stream);
    }

    @Test
    void theMostThatWasUsedIsKept() {
        Block first = allocate(3 * KIB);
        Block second = allocate(2 * KIB);
        free(first);
        free(second);
        assertEquals(new MemoryUse(0, 2 * MIB, 5 * KIB), allocator.use());
        free(allocate(KIB));
        assertEquals(5 * KIB, allocator.use().peak());
    }

    @Test
    void limitIsForWhatIsReserved() {
        allocator = new BlockAllocator(device, 30 * MIB);
        Block large = allocate(24 * MIB);
        Block small = allocate(MIB);
        assertEquals(26 * MIB, allocator.use().reserved());
        var e = assertThrows(OutOfMemoryError.class, () -> allocate(11 * MIB));
        assertEquals(
                device
                        + " cannot allocate 11 more MiB: tensors hold 25 MiB, 1 MiB are kept for reuse in parts, the device has "
                        + (1024 - FakeCuda.liveBytes(1) / MIB)
                        + " MiB free, and gradwire.cuda.memory-limit=30 MiB; release tensors sooner (TensorScope)",
                e.getMessage());
        free(large);
        assertEquals(12 * MIB, allocate(11 * MIB).bytes, "after 24 MiB were released");
        assertEquals(14 * MIB, allocator.use().reserved());
        free(small);
    }

    @Test
    void keptMemoryIsGivenBackBeforeAFailure() {
        allocator = new BlockAllocator(device, 40 * MIB);
        for (int i = 0; i < 3; i++) {
            Block small = allocate(KIB);
            Block middle = allocate(5 * MIB);
            free(small);
            free(middle);
            free(allocate(40 * MIB));
            assertEquals(40 * MIB, allocator.use().reserved());
        }
    }

    /** Any order of calls leaves blocks that do not overlap, and counts that are right. */
    @Test
    void blocksNeverOverlap() {
        long seed = FakeCuda.SEED;
        System.out.println("seed " + seed);
        var random = new SplittableRandom(seed);
        var ends = new TreeMap<Long, Long>();
        List<Block> blocks = new ArrayList<>();
        long allocated = 0;
        for (int i = 0; i < 3000; i++) {
            if (blocks.size() > 40 || (!blocks.isEmpty() && random.nextInt(3) == 0)) {
                Block block = blocks.remove(random.nextInt(blocks.size()));
                ends.remove(block.address);
                allocated -= block.bytes;
                free(block);
            } else {
                Block block = allocate(1 + random.nextLong(1L << random.nextInt(24)));
                assertNoOverlap(ends, block);
                blocks.add(block);
                allocated += block.bytes;
            }
            assertEquals(allocated, allocator.use().allocated());
            assertTrue(allocator.use().reserved() >= allocated);
        }
    }

    private static void assertNoOverlap(NavigableMap<Long, Long> ends, Block block) {
        long end = block.address + block.bytes;
        var before = ends.lowerEntry(end);
        assertTrue(before == null || before.getValue() <= block.address);
        ends.put(block.address, end);
    }
}
