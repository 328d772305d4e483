package org.gradwire.backend.tensorpipe;

import org.gradwire.spi.BufferAllocator;
import org.gradwire.spi.ElementKind;
import org.jspecify.annotations.Nullable;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Holds memory ready for the next large buffers, of the sizes that came last, and fetches it into
 * the cache while a thread polls in vain.
 *
 * <p>Memory of received tensors comes back by collections, so that of the next one is in no cache,
 * and reading into it takes up to three times as long. Who waits for a message has the time to
 * fetch it.
 *
 * <p>For who has the receiver's turn; others get memory that was not held ready.
 */
final class Standby implements BufferAllocator {
    private static final int PLACES = 4;
    private static final long LEAST = 64L * 1024;
    private static final long LINE = 64;

    /** What is fetched before the next look for messages: about a microsecond's work. */
    private static final long STEP = 2048;

    private final BufferAllocator allocator;
    private final Receiver receiver;
    private final List<Place> places = new ArrayList<>(PLACES); // used last comes last
    private @Nullable Place cold; // the one to be fetched next

    /** Memory of one size, or the wish for it. */
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

    /** Create one that takes memory from another allocator. */
    Standby(BufferAllocator allocator, Receiver receiver) {
        this.allocator = allocator;
        this.receiver = receiver;
    }

    @Override
    public MemorySegment allocate(ElementKind kind, long bytes) {
        boolean isHeld = kind == ElementKind.RAW && bytes >= LEAST;
        if (!isHeld || bytes > Delivery.MOST_READ_AT_ONCE || !receiver.isHeldHere()) {
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

    /** Fetch a little, if something is to be fetched. */
    void fetch() {
        Place place = cold;
        if (place == null) {
            return;
        }
        try {
            place.fetch(allocator);
            cold = place.isCold() ? place : firstCold();
        } catch (OutOfMemoryError _) {
            places.clear(); // messages need what is left
            cold = null;
        }
    }
}
