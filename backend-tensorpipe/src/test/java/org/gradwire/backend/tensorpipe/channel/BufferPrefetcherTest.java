package org.gradwire.backend.tensorpipe.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.gradwire.spi.ElementKind;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/** Memory allocated ahead of time for the next large buffers. */
class BufferPrefetcherTest {
    private static final int SMALLEST = 64 << 10;
    private static final int LARGEST = 1 << 20;

    private final List<MemorySegment> made = new ArrayList<>();
    private boolean isInLoop;
    private final BufferPrefetcher bufferPrefetcher =
            new BufferPrefetcher(this::make, () -> isInLoop);
    private int room = Integer.MAX_VALUE;

    private MemorySegment make(ElementKind kind, long bytes) {
        if (bytes > room) {
            throw new OutOfMemoryError("no room for " + bytes);
        }
        MemorySegment memory =
                kind == ElementKind.RAW
                        ? Arena.ofAuto().allocate(bytes)
                        : MemorySegment.ofArray(new byte[(int) bytes]);
        made.add(memory);
        return memory;
    }

    private MemorySegment allocateInLoop(ElementKind kind, long bytes) {
        isInLoop = true;
        MemorySegment memory = bufferPrefetcher.allocate(kind, bytes);
        isInLoop = false;
        return memory;
    }

    private void fetchAll() {
        for (int step = 0; step < 10 * LARGEST / 1024; step++) {
            bufferPrefetcher.fetch();
        }
    }

    @Test
    void theNextBufferOfASizeIsReadyAndWholeAndNobodyElses() {
        MemorySegment first = allocateInLoop(ElementKind.RAW, SMALLEST);
        fetchAll();
        assertEquals(2, made.size());
        MemorySegment second = allocateInLoop(ElementKind.RAW, SMALLEST);
        assertSame(made.get(1), second);
        assertEquals(SMALLEST, second.byteSize());
        assertNotSame(first, second);
        assertNotSame(second, allocateInLoop(ElementKind.RAW, SMALLEST));
    }

    @Test
    void memoryThatIsTakenIsNotTouchedAnyMore() {
        allocateInLoop(ElementKind.RAW, LARGEST);
        bufferPrefetcher.fetch(); // allocates it
        bufferPrefetcher.fetch(); // prefetches its beginning
        MemorySegment half = allocateInLoop(ElementKind.RAW, LARGEST);
        half.fill((byte) 1);
        fetchAll();
        assertEquals(-1, half.mismatch(Arena.ofAuto().allocate(LARGEST).fill((byte) 1)));
    }

    @Test
    void sizesOfOneMessageAreReadyTogetherAlsoEqualOnes() {
        List<Integer> sizes = List.of(SMALLEST, LARGEST, SMALLEST);
        sizes.forEach(size -> allocateInLoop(ElementKind.RAW, size));
        fetchAll();
        List<MemorySegment> ready = List.copyOf(made.subList(3, 6));
        for (int size : sizes) {
            MemorySegment memory = allocateInLoop(ElementKind.RAW, size);
            assertEquals(size, memory.byteSize());
            assertEquals(1, ready.stream().filter(memory::equals).count());
        }
        assertEquals(6, made.size());
    }

    @Test
    void aSizeThatComesNoMoreGivesItsPlaceUp() {
        allocateInLoop(ElementKind.RAW, LARGEST);
        fetchAll();
        MemorySegment ofOldSize = made.get(1);
        for (int more = 1; more <= 4; more++) {
            allocateInLoop(ElementKind.RAW, SMALLEST + more * 64);
        }
        fetchAll();
        assertNotSame(ofOldSize, allocateInLoop(ElementKind.RAW, LARGEST));
    }

    @Test
    void nothingIsHeldOfSmallOrHugeOnesArraysAndOtherThreads() {
        allocateInLoop(ElementKind.RAW, SMALLEST - 1);
        allocateInLoop(ElementKind.RAW, LARGEST + 1);
        allocateInLoop(ElementKind.FLOAT, SMALLEST);
        bufferPrefetcher.allocate(ElementKind.RAW, SMALLEST); // outside the loop
        fetchAll();
        assertEquals(4, made.size());
    }

    @Test
    void whereMemoryIsShortNothingIsHeld() {
        allocateInLoop(ElementKind.RAW, SMALLEST);
        room = 0;
        fetchAll();
        room = Integer.MAX_VALUE;
        fetchAll();
        assertEquals(1, made.size());
    }
}
