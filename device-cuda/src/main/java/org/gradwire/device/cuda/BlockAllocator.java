package org.gradwire.device.cuda;

import org.gradwire.spi.device.DeviceProvider.MemoryUse;
import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The memory of one device, in segments of the driver that are cut into blocks and kept for reuse,
 * as allocation by the driver is slow and waits for the device. Sizes and limits are those of
 * PyTorch's {@code CUDACachingAllocator}: blocks of up to 1 MiB come from segments of 2 MiB, blocks
 * of up to 10 MiB from segments of 20 MiB, larger ones have a segment each.
 *
 * <p>A free block is reused at once by the stream that used it last. Another stream first waits, on
 * the device, for its work.
 */
final class BlockAllocator {
    private static final long UNIT = 512;
    private static final long SMALL = 1 << 20;
    private static final long SMALL_SEGMENT = 2 << 20;
    private static final long MIDDLE = 10 << 20;
    private static final long MIDDLE_SEGMENT = 20 << 20;
    private static final int COLLECTIONS_BEFORE_FAILURE = 4;
    private static final int GROWTH_PART = 16; // of the memory, after which garbage is collected

    private static final Comparator<Block> BY_SIZE =
            Comparator.<Block>comparingLong(block -> block.bytes)
                    .thenComparing(Block::address, Long::compareUnsigned);

    private final CudaDevice device;
    private final long limit;
    private final GarbageCollector garbage;
    private final NavigableSet<Block> small = new TreeSet<>(BY_SIZE);
    private final NavigableSet<Block> large = new TreeSet<>(BY_SIZE);
    private final Map<Long, byte[]> exported = new HashMap<>(); // handles by segment
    private long allocated;
    private long reserved;
    private long peak;

    BlockAllocator(CudaDevice device, long limit) {
        this.device = device;
        this.limit = limit;
        long most = Math.min(limit, device.properties().memory());
        this.garbage = new GarbageCollector(() -> use().allocated(), most / GROWTH_PART);
    }

    /** {@return the use of the memory} */
    synchronized MemoryUse use() {
        return new MemoryUse(allocated, reserved, peak);
    }

    /**
     * Return a block for the work of a stream.
     *
     * @throws OutOfMemoryError when the device does not have enough memory
     */
    Block allocate(long bytes, CudaStream stream) {
        long size = (Math.max(bytes, 1) + UNIT - 1) / UNIT * UNIT;
        Block block = find(size);
        for (int i = 0; block == null && i < COLLECTIONS_BEFORE_FAILURE; i++) {
            garbage.collect();
            block = find(size);
        }
        if (block == null) {
            throw outOfMemory(size);
        }
        await(block, stream);
        block.stream = stream;
        return block;
    }

    private void await(Block block, CudaStream stream) {
        CudaStream last = block.stream;
        if (last == null) {
            return;
        }
        try {
            stream.await(last);
        } catch (RuntimeException | Error e) {
            free(block);
            throw e;
        }
    }

    private synchronized @Nullable Block find(long size) {
        NavigableSet<Block> free = size <= SMALL ? small : large;
        Block block = free.ceiling(new Block(0, 0, size));
        if (block != null && isWasteful(block, size)) {
            block = null;
        }
        if (block == null) {
            block = reserve(size);
        } else {
            free.remove(block);
        }
        if (block == null) {
            return null;
        }
        block.free = false;
        if (isWorthCutting(block, size)) {
            cut(block, size, free);
        }
        allocated += block.bytes;
        peak = Math.max(peak, allocated);
        return block;
    }

    /** A large segment is not used for a block that is much smaller. */
    private static boolean isWasteful(Block block, long size) {
        return size > MIDDLE && block.bytes > 2 * size;
    }

    private static boolean isWorthCutting(Block block, long size) {
        long rest = block.bytes - size;
        return size <= SMALL ? rest >= UNIT : size <= MIDDLE && rest > SMALL;
    }

    private static void cut(Block block, long size, NavigableSet<Block> free) {
        var rest = new Block(block.segment, block.address + size, block.bytes - size);
        rest.free = true;
        rest.stream = block.stream;
        rest.previous = block;
        rest.next = block.next;
        if (block.next != null) {
            block.next.previous = rest;
        }
        block.next = rest;
        block.bytes = size;
        free.add(rest);
    }

    private @Nullable Block reserve(long size) {
        long bytes =
                size <= SMALL
                        ? SMALL_SEGMENT
                        : size <= MIDDLE
                                ? MIDDLE_SEGMENT
                                : (size + SMALL_SEGMENT - 1) / SMALL_SEGMENT * SMALL_SEGMENT;
        garbage.collectWhenGrown();
        long address = reserveSegment(bytes);
        if (address == 0 && giveBack()) {
            address = reserveSegment(bytes);
        }
        if (address == 0) {
            return null;
        }
        reserved += bytes;
        return new Block(address, address, bytes);
    }

    private long reserveSegment(long bytes) {
        if (reserved + bytes > limit) {
            return 0;
        }
        device.enter();
        return DriverMemory.allocate(bytes);
    }

    /** Take back a block; the work of its stream may still use it. */
    synchronized void free(Block block) {
        allocated -= block.bytes;
        block.free = true;
        Block whole = merged(merged(block, block.next), block.previous);
        (isSmallSegment(whole) ? small : large).add(whole);
    }

    /** {@return whether a block is part of a small segment, whatever its own size} */
    private static boolean isSmallSegment(Block block) {
        long end = block.address + block.bytes;
        for (Block next = block.next; next != null; next = next.next) {
            end = next.address + next.bytes;
        }
        return end - block.segment <= SMALL_SEGMENT;
    }

    /** Merge a free block with a neighbour, if that is free and not used by another stream. */
    private Block merged(Block block, @Nullable Block neighbour) {
        if (neighbour == null || !neighbour.free || isOfAnother(neighbour, block.stream)) {
            return block;
        }
        (isSmallSegment(neighbour) ? small : large).remove(neighbour);
        Block first = neighbour.address < block.address ? neighbour : block;
        Block second = neighbour.address < block.address ? block : neighbour;
        first.bytes += second.bytes;
        first.stream = first.stream == null ? second.stream : first.stream;
        first.next = second.next;
        if (second.next != null) {
            second.next.previous = first;
        }
        return first;
    }

    private static boolean isOfAnother(Block block, @Nullable CudaStream stream) {
        return block.stream != null && stream != null && block.stream != stream;
    }

    /** Merge all free neighbours, when the streams that used them have done their work. */
    private void mergeAll() {
        List<Block> free = new ArrayList<>(small);
        free.addAll(large);
        free.stream()
                .flatMap(block -> Stream.ofNullable(block.stream))
                .distinct()
                .forEach(CudaStream::synchronize);
        for (Block block : free) {
            block.stream = null;
        }
        for (Block block : free) {
            NavigableSet<Block> blocks = isSmallSegment(block) ? small : large;
            if (blocks.remove(block)) { // else it was merged with one before
                blocks.add(merged(merged(block, block.next), block.previous));
            }
        }
    }

    /** Give free segments back to the driver, when their streams have done their work. */
    private boolean giveBack() {
        mergeAll();
        boolean any = giveBack(small);
        return giveBack(large) || any;
    }

    private boolean giveBack(NavigableSet<Block> free) {
        device.enter();
        return free.removeIf(block -> {
            boolean ends = block.isWhole() && !exported.containsKey(block.segment);
            if (ends) {
                DriverMemory.free(block.address);
                reserved -= block.bytes;
            }
            return ends;
        });
    }

    /** Give all free segments back. */
    synchronized void trim() {
        var _ = giveBack();
    }

    /** {@return the handle of a block's segment, which is kept from now on, as others open it} */
    synchronized byte[] exported(Block block) {
        byte[] handle = exported.get(block.segment);
        if (handle == null) {
            device.enter();
            handle = DriverSharing.exportMemory(block.segment);
            exported.put(block.segment, handle);
        }
        return handle;
    }

    private synchronized OutOfMemoryError outOfMemory(long size) {
        device.enter();
        return new OutOfMemoryError(
                "%s cannot allocate %d more MiB: tensors hold %d MiB, %d MiB are kept for reuse in parts, the device has %d MiB free%s; release tensors sooner (TensorScope)"
                        .formatted(
                                device,
                                Math.ceilDiv(size, 1L << 20),
                                allocated >> 20,
                                (reserved - allocated) >> 20,
                                DriverMemory.available() >> 20,
                                limit == Long.MAX_VALUE
                                        ? ""
                                        : ", and %s=%d MiB"
                                                .formatted(
                                                        CudaSettings.MEMORY_LIMIT, limit >> 20)));
    }
}
