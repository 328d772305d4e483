package org.gradwire.runtime.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.gradwire.spi.DecodingException;
import org.gradwire.spi.Output;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;

class DecodingBudgetTest {
    private static final long HEAP = 1 << 20;
    private static final int PEER = 3;

    private final DecodingHeap heap = new DecodingHeap(2 * HEAP);
    private final DecodingBudget budget = new DecodingBudget(heap, PEER, 0);

    private DecodingBudget of(int peer) {
        return new DecodingBudget(heap, peer, 1_000_000);
    }

    private static void refused(String text, Executable action) {
        String message = String.valueOf(assertThrows(DecodingException.class, action).getMessage());
        assertTrue(message.contains(text), message);
    }

    private void insertAll(Set<Object> into, List<?> keys) {
        var charged = new KeyBudget(budget, into);
        for (Object key : keys) {
            charged.insert(key, 0, budget.comparisonWork());
            if (into.add(key)) {
                charged.inserted();
            }
        }
    }

    @Test
    void heapIsCountedUpToTheLimit() {
        budget.allocate(HEAP - 1);
        budget.allocate(1);
        refused("more than 1048576 bytes of heap", () -> budget.allocate(1));
    }

    @Test
    void messagesOfOnePeerTakeHalfAndThoseOfAllTheWhole() {
        DecodingBudget first = of(PEER);
        first.allocate(HEAP);
        long taken = HEAP - DecodingBudget.FREE;
        assertEquals(taken, heap.total());
        DecodingBudget second = of(PEER);
        refused("messages of worker 3 would take", () -> second.allocate(HEAP / 2));
        of(PEER).allocate(DecodingBudget.FREE); // small ones always go
        of(4).allocate(HEAP);
        refused("messages of all peers would take", () -> of(5).allocate(HEAP));
        assertEquals(2 * taken, heap.total());
        first.release();
        first.release();
        assertEquals(taken, heap.total());
        second.allocate(HEAP / 4);
    }

    @Test
    void whatAnAnsweredMessageStillDecodesIsNotTaken() {
        budget.allocate(HEAP / 2);
        budget.release();
        budget.allocate(HEAP / 4);
        assertEquals(0, heap.total());
    }

    @Test
    void whatALostPeerTookCountsNoMore() {
        DecodingBudget late = of(PEER);
        late.allocate(HEAP);
        heap.forget(PEER);
        assertEquals(0, heap.total());
        late.release();
        assertEquals(0, heap.total());
    }

    @Test
    void theProgramsOwnBytesTakeNothing() {
        of(Output.NOWHERE).allocate(HEAP);
        assertEquals(0, heap.total());
    }

    @Test
    void workGrowsWithTheMessage() {
        long work = 1_000_000L * DecodingBudget.WORK_PER_BYTE;
        of(PEER).insert(work, 0, 0);
        assertThrows(DecodingException.class, () -> of(PEER).insert(work + 1, 0, 0));
        budget.insert(0, DecodingBudget.LEAST_WORK, 1);
        assertThrows(DecodingException.class, () -> budget.insert(0, 1, 1));
    }

    @Test
    void hugeFiguresDoNotWrapAround() {
        assertThrows(
                DecodingException.class, () -> budget.insert(0, Long.MAX_VALUE, Integer.MAX_VALUE));
        assertThrows(DecodingException.class, () -> budget.insert(Long.MAX_VALUE, 0, 0));
    }

    /** Such keys form a tree in the table, where each is compared with few. */
    @Test
    void orderedKeysWithEqualHashCodesCostNoMore() {
        List<String> colliding =
                new Random(1)
                        .ints(20_000, 0, 1 << 16)
                        .mapToObj(DecodingBudgetTest::colliding)
                        .toList();
        assertEquals(1, colliding.stream().mapToInt(String::hashCode).distinct().count());
        insertAll(new LinkedHashSet<>(), colliding);
    }

    /** {@return one of 65,536 texts with equal hash codes, by its number} */
    private static String colliding(int number) {
        var text = new StringBuilder();
        for (int bit = 0; bit < 16; bit++) {
            text.append((number >> bit & 1) == 0 ? "Aa" : "BB");
        }
        return text.toString();
    }

    @Test
    void aMixOfKeysIsComparedWithAllOfEqualHashCode() {
        Set<Object> keys = new LinkedHashSet<>();
        insertAll(keys, List.of(1, 2, 3, List.of(), "text"));
        assertEquals(5, keys.size());
        var all =
                new Random(1)
                        .ints(20_000, 0, 1 << 16)
                        .mapToObj(n -> List.of(colliding(n)))
                        .toList();
        assertThrows(DecodingException.class, () -> insertAll(keys, all));
        assertTrue(keys.size() < 1_000, keys.size() + " were inserted");
    }

    @Test
    void countsAreThoseOfATable() {
        var counts = new HashCounts();
        Map<Integer, Integer> expected = new HashMap<>();
        new Random(1)
                .ints(10_000, -500, 500)
                .map(n -> n << 20)
                .forEach(hash -> {
                    counts.add(hash);
                    expected.merge(hash, 1, Integer::sum);
                });
        expected.forEach((hash, count) -> assertEquals(count, counts.count(hash)));
        assertEquals(0, counts.count(1));
    }
}
