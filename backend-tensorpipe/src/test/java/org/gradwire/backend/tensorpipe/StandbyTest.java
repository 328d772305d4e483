package org.gradwire.backend.tensorpipe;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.gradwire.spi.ElementKind;
import org.junit.jupiter.api.Test;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;

/** Memory that is held ready for the next large buffers. */
class StandbyTest {
    private static final int SMALLEST = 64 << 10;
    private static final int LARGEST = 1 << 20;

    private final List<MemorySegment> made = new ArrayList<>();
    private final Receiver receiver = new Receiver(() -> {});
    private final Standby standby = new Standby(this::make, receiver);
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

    private MemorySegment allocateInTurn(ElementKind kind, long bytes) {
        var result = new AtomicReference<MemorySegment>();
        receiver.post(() -> result.set(standby.allocate(kind, bytes)));
        assertEquals(1, receiver.turn());
        return result.get();
    }

    private void fetchAll() {
        for (int step = 0; step < 10 * LARGEST / 1024; step++) {
            standby.fetch();
        }
    }

    @Test
    void theNextBufferOfASizeIsReadyAndWholeAndNobodyElses() {
        MemorySegment first = allocateInTurn(ElementKind.RAW, SMALLEST);
        fetchAll();
        assertEquals(2, made.size());
        MemorySegment second = allocateInTurn(ElementKind.RAW, SMALLEST);
        assertSame(made.get(1), second);
        assertEquals(SMALLEST, second.byteSize());
        assertNotSame(first, second);
        assertNotSame(second, allocateInTurn(ElementKind.RAW, SMALLEST));
    }

    @Test
    void memoryThatIsTakenIsNotTouchedAnyMore() {
        allocateInTurn(ElementKind.RAW, LARGEST);
        standby.fetch(); // takes it
        standby.fetch(); // its beginning
        MemorySegment half = allocateInTurn(ElementKind.RAW, LARGEST);
        half.fill((byte) 1);
        fetchAll();
        assertEquals(-1, half.mismatch(Arena.ofAuto().allocate(LARGEST).fill((byte) 1)));
    }

    @Test
    void sizesOfOneMessageAreReadyTogetherAlsoEqualOnes() {
        List<Integer> sizes = List.of(SMALLEST, LARGEST, SMALLEST);
        sizes.forEach(size -> allocateInTurn(ElementKind.RAW, size));
        fetchAll();
        List<MemorySegment> ready = List.copyOf(made.subList(3, 6));
        for (int size : sizes) {
            MemorySegment memory = allocateInTurn(ElementKind.RAW, size);
            assertEquals(size, memory.byteSize());
            assertEquals(1, ready.stream().filter(memory::equals).count());
        }
        assertEquals(6, made.size());
    }

    @Test
    void aSizeThatComesNoMoreGivesItsPlaceUp() {
        allocateInTurn(ElementKind.RAW, LARGEST);
        fetchAll();
        MemorySegment ofOldSize = made.get(1);
        for (int more = 1; more <= 4; more++) {
            allocateInTurn(ElementKind.RAW, SMALLEST + more * 64);
        }
        fetchAll();
        assertNotSame(ofOldSize, allocateInTurn(ElementKind.RAW, LARGEST));
    }

    @Test
    void nothingIsHeldOfSmallOrHugeOnesArraysAndOtherThreads() {
        allocateInTurn(ElementKind.RAW, SMALLEST - 1);
        allocateInTurn(ElementKind.RAW, LARGEST + 1);
        allocateInTurn(ElementKind.FLOAT, SMALLEST);
        standby.allocate(ElementKind.RAW, SMALLEST); // without the turn
        fetchAll();
        assertEquals(4, made.size());
    }

    @Test
    void whereMemoryIsShortNothingIsHeld() {
        allocateInTurn(ElementKind.RAW, SMALLEST);
        room = 0;
        fetchAll();
        room = Integer.MAX_VALUE;
        fetchAll();
        assertEquals(1, made.size());
    }
}
