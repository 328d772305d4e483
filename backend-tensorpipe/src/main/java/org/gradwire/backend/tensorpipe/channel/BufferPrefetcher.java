package org.gradwire.backend.tensorpipe.channel;

import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ElementKind;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;

/**
 * Allocates memory for the next large buffers, of the latest sizes, ahead of time, and prefetches
 * it into the CPU cache while a thread polls without a result.
 *
 * <p>Garbage collections recycle the memory of received tensors, so new memory is in no cache, and
 * a read into it takes up to three times as long. A thread that waits for a message has time to
 * prefetch.
 *
 * <p>Confined to the receive loop; other threads may allocate, from the delegate.
 */
public final class BufferPrefetcher implements BufferAllocator {
    private static final int PLACES = 4;
    private static final long LEAST = 64L * 1024;
    private static final long LINE = 64;

    /** Bytes fetched between two polls for messages: about a microsecond's work. */
    private static final long STEP = 2048;

    private final BufferAllocator allocator;
    private final BooleanSupplier isInLoop;
    private final List<Place> places = new ArrayList<>(PLACES); // most recently used last
    private @Nullable Place cold; // the next to fetch

    /** Memory of one size, allocated or to be allocated. */
    private static final class Place {
        private final long bytes;
        private @Nullable MemorySegment memory;
        private long fetched;

        Place(long bytes) {
            this.bytes = bytes;
        }

        boolean isCold() {
            return memory == null || fetched < bytes;
        }

        void fetch(BufferAllocator allocator) {
            MemorySegment buffer = memory;
            if (buffer == null) {
                memory = allocator.allocate(ElementKind.RAW, bytes);
                fetched = 0;
                return;
            }
            long end = Math.min(bytes, fetched + STEP);
            for (long at = fetched; at < end; at += LINE) {
                buffer.set(ValueLayout.JAVA_BYTE, at, (byte) 0);
            }
            fetched = end;
        }
    }

    /**
     * Create a prefetcher.
     *
     * @param allocator the delegate
     * @param isInLoop whether the current thread is in the receive loop
     */
    public BufferPrefetcher(BufferAllocator allocator, BooleanSupplier isInLoop) {
        this.allocator = allocator;
        this.isInLoop = isInLoop;
    }

    @Override
    public MemorySegment allocate(ElementKind kind, long bytes) {
        boolean isHeld = kind == ElementKind.RAW && bytes >= LEAST;
        if (!isHeld || bytes > CopyThread.MOST_INLINE_BYTES || !isInLoop.getAsBoolean()) {
            return allocator.allocate(kind, bytes);
        }
        MemorySegment memory = take(bytes);
        cold = firstCold();
        return memory != null ? memory : allocator.allocate(kind, bytes);
    }

    private @Nullable MemorySegment take(long bytes) {
        for (Place place : places) {
            MemorySegment memory = place.memory;
            if (memory != null && place.bytes == bytes) {
                place.memory = null;
                places.remove(place);
                places.add(place);
                return memory;
            }
        }
        if (places.size() == PLACES) {
            places.removeFirst();
        }
        places.add(new Place(bytes));
        return null;
    }

    private @Nullable Place firstCold() {
        for (Place place : places) {
            if (place.isCold()) {
                return place;
            }
        }
        return null;
    }

    /** Prefetch the next {@link #STEP} bytes, if any. */
    public void fetch() {
        Place place = cold;
        if (place == null) {
            return;
        }
        try {
            place.fetch(allocator);
            cold = place.isCold() ? place : firstCold();
        } catch (OutOfMemoryError _) {
            places.clear(); // messages need the remaining memory
            cold = null;
        }
    }
}
